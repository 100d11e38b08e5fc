// The theme, the menu and the search of the book. Nothing here asks another machine.
(function () {
  "use strict";
  var root = document.currentScript.dataset.root;
  var html = document.documentElement;
  function stored(value) {
    try {
      if (value) localStorage.setItem("moonpod-theme", value);
      return localStorage.getItem("moonpod-theme");
    } catch (error) {
      return value || null;
    }
  }
  var asked = /[?&]theme=(light|dark)/.exec(location.search);
  var theme = asked ? asked[1] : stored();
  if (theme) html.dataset.theme = theme;

  function escape(text) {
    return text.replace(/[&<>"]/g, function (c) { return "&#" + c.charCodeAt(0) + ";"; });
  }

  function excerpt(text, wanted) {
    var at = text.toLowerCase().indexOf(wanted[0]);
    var from = Math.max(0, at - 40);
    return (from ? "…" : "") + text.slice(from, from + 140) + (text.length > from + 140 ? "…" : "");
  }

  function find(text) {
    var wanted = moonpodSearch.words(text);
    return moonpodSearch.find(moonpodIndex, text).slice(0, 12).map(function (entry) {
      return '<li><a href="' + root + entry.url + '"><b>' + escape(entry.heading) + "</b> " +
        (entry.page === entry.heading ? "" : escape(entry.page)) + "<small>" + escape(excerpt(entry.text, wanted)) +
        "</small></a></li>";
    });
  }

  // Tables that are wider than the page may break names; the others do not.
  function fit() {
    document.querySelectorAll(".table").forEach(function (table) {
      table.classList.remove("tight");
      table.classList.toggle("tight", table.scrollWidth > table.clientWidth);
    });
  }

  function ready() {
    fit();
    window.addEventListener("resize", fit);
    var input = document.getElementById("search"), list = document.getElementById("found"), chosen = -1;
    var menu = document.getElementById("menu"), navigation = document.getElementById("navigation");
    menu.onclick = function () {
      menu.setAttribute("aria-expanded", navigation.classList.toggle("open"));
    };
    document.getElementById("theme").onclick = function () {
      var dark = html.dataset.theme ? html.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      html.dataset.theme = stored(dark ? "light" : "dark");
    };
    function show() {
      if (!window.moonpodIndex || !window.moonpodSearch) return;
      var found = find(input.value);
      list.innerHTML = found.join("") || "<li><p>Nothing is like that.</p></li>";
      list.hidden = !input.value.trim();
      chosen = -1;
    }
    // The index is read when somebody begins to search; a script works from files, too.
    function load() {
      if (document.getElementById("index.js")) return;
      ["index.js", "search.js"].forEach(function (name) {
        var script = document.createElement("script");
        script.id = name;
        script.src = root + name;
        script.onload = show;
        document.head.appendChild(script);
      });
    }
    input.onfocus = load;
    input.oninput = function () { load(); show(); };
    input.onkeydown = function (event) {
      var links = list.querySelectorAll("a");
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        chosen = Math.max(0, Math.min(links.length - 1, chosen + (event.key === "ArrowDown" ? 1 : -1)));
        links.forEach(function (link, i) { link.classList.toggle("on", i === chosen); });
        if (links[chosen]) links[chosen].scrollIntoView({ block: "nearest" });
        event.preventDefault();
      } else if (event.key === "Enter" && links.length) {
        location.href = links[Math.max(0, chosen)].href;
      } else if (event.key === "Escape") {
        list.hidden = true;
        input.blur();
      }
    };
    document.addEventListener("keydown", function (event) {
      if (event.key === "/" && document.activeElement !== input) {
        event.preventDefault();
        input.focus();
      }
    });
    document.addEventListener("click", function (event) {
      if (!event.target.closest(".search")) list.hidden = true;
    });
    var query = /[?&]q=([^&]*)/.exec(location.search);
    if (query) {
      input.value = decodeURIComponent(query[1].replace(/\+/g, " "));
      load();
    }
  }
  document.addEventListener("DOMContentLoaded", ready);
})();
