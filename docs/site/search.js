// The search of the book: finds places of the index by words, and by names that they have in Keras, tf.data, PyTorch
// and JAX. Node reads this file, too: tests/tools/site_search.js.
var moonpodSearch = (function () {
  "use strict";

  // A name in small letters, without "_" and in full: as lua/moonpod/help/others.lua has it.
  function bare(text, short) {
    return short.reduce(function (name, one) { return name.replace(new RegExp(one[0], "g"), one[1]); },
      text.toLowerCase().replace(/[^a-z0-9]/g, ""));
  }

  // What may have been meant as a name, the most of it first: "optimizer.step" is optimizerstep, or step; of a phrase
  // all of its words. jax.checkpoint is not what others call so.
  function names(text, short) {
    var parts = text.split(/[^A-Za-z0-9_]+/).filter(Boolean), whole = parts.join(""), isPhrase = /\w\s+\w/.test(text);
    while (parts.length > 1 && /^(tf|keras|torch|jax|jnp|np)$/.test(parts[0])) parts.shift();
    var firsts = isPhrase ? [0] : [0, Math.max(0, parts.length - 2), Math.max(0, parts.length - 1)];
    var found = firsts.map(function (first) { return bare(parts.slice(first).join(""), short); });
    if (/^(jax|torch)/.test(whole)) found.unshift(bare(whole, short));
    return found.filter(function (name, i, all) { return name && all.indexOf(name) === i; });
  }

  // How many letters were changed, left out, put in or swapped with the next; more than `most` is not counted.
  function distance(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    var before = [], row = [], next = [], i, j;
    for (j = 0; j <= b.length; j++) row[j] = j;
    for (i = 1; i <= a.length; i++) {
      next = [i];
      for (j = 1; j <= b.length; j++) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
      }
      before = row;
      row = next;
    }
    return row[b.length];
  }

  function words(text) {
    return text.toLowerCase().split(/[^a-z0-9_.:%-]+/).filter(function (word) {
      return word && !/^(how|what|to|do|i|my|an?|the|of|in|on|with|for|is)$/.test(word);
    });
  }

  // How well an entry answers by its words: all have to be in it.
  function byWords(entry, wanted) {
    var heading = entry.heading.toLowerCase(), page = entry.page.toLowerCase(), text = entry.text.toLowerCase(), sum = 0;
    for (var i = 0; i < wanted.length; i++) {
      var word = wanted[i], value = 0;
      if (heading === word || heading.split(/[.: ]/).indexOf(word) >= 0) value = 30;
      else if (heading.indexOf(word) >= 0) value = 15;
      else if (page.indexOf(word) >= 0) value = 6;
      if (text.indexOf(word) >= 0) value += 3;
      if (!value) return 0;
      sum += value;
    }
    return sum + (entry.url.indexOf("reference/") < 0 ? 4 : 0);
  }

  // How well a key answers to a name: the same, or how it begins.
  function byKey(key, name) {
    if (key === name) return 1000;
    return name.length > 2 && key.indexOf(name) === 0 ? 500 - (key.length - name.length) : 0;
  }

  function byTypo(key, name) {
    var most = name.length < 4 ? 0 : name.length < 8 ? 1 : 2, far = distance(key, name, most);
    return far <= most ? 450 - 60 * far : 0;
  }

  // The best of the keys of an entry for the names, those that are less of what was asked counting less.
  function best(keys, wanted, measure) {
    return keys.reduce(function (most, key) {
      return wanted.reduce(function (sofar, name, i) {
        var value = measure(key, name);
        return Math.max(sofar, value && value - 50 * i);
      }, most);
    }, 0);
  }

  function prepared(index) {
    return index.prepared = index.prepared || index.entries.map(function (entry) {
      var last = /^[\w.:]+$/.test(entry[2]) ? entry[2].split(/[.:]/).pop() : entry[2];
      return { url: entry[0], page: entry[1], heading: entry[2], text: entry[3],
        keys: [bare(last, index.short)].concat(entry[4] || []) };
    });
  }

  // The places that answer, the best first: { url, page, heading, text }.
  function find(index, text) {
    var entries = prepared(index), wanted = names(text, index.short), said = words(text);
    if (!wanted.length) return [];
    var parts = text.toLowerCase().split(/[^a-z0-9_]+/);
    function rated(measure) {
      var aliased = {};
      Object.keys(index.aliases).forEach(function (key) {
        var value = best([key], wanted, measure);
        if (value) aliased[index.aliases[key]] = Math.max(aliased[index.aliases[key]] || 0, value + 10);
      });
      return entries.map(function (entry) {
        var value = Math.max(best(entry.keys, wanted, measure), aliased[entry.url] || 0);
        // "losses.Huber" is the loss; headings of our own names go before pages that tell of them.
        var place = entry.heading.toLowerCase().split(/[.:]/);
        if (value) value += parts.filter(function (part) { return place.indexOf(part) >= 0; }).length * 12;
        if (value && place[0] === "pod" && place.length > 1) value += 8 - place.length;
        if (value && entry.url.indexOf("reference/c.html") === 0) value -= 8;
        return { entry: entry, value: value + byWords(entry, said) };
      }).filter(function (one) { return one.value > 0; });
    }
    var found = rated(byKey);
    if (!found.some(function (one) { return one.value >= 300; })) found = found.concat(rated(byTypo));
    var seen = {};
    return found.sort(function (a, b) { return b.value - a.value; }).filter(function (one) {
      var isNew = !seen[one.entry.url];
      seen[one.entry.url] = true;
      return isNew;
    }).map(function (one) { return one.entry; });
  }

  return { find: find, words: words };
})();
