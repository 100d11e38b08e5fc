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
    window.addEventListener("beforeprint", function () { // as wide as on paper
      var main = document.getElementById("main");
      main.style.width = "17.5cm";
      fit();
      main.style.width = "";
    });
    window.addEventListener("afterprint", fit);
    var input = document.getElementById("search"), list = document.getElementById("found");
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
    // Arrows go through what was found, which a screen reader then says; Enter follows what is first or has the focus.
    input.parentElement.onkeydown = function (event) {
      var places = [input].concat(Array.from(list.querySelectorAll("a"))), at = places.indexOf(document.activeElement);
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        places[Math.max(0, Math.min(places.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))].focus();
        event.preventDefault();
      } else if (event.key === "Enter" && at === 0 && places[1]) {
        location.href = places[1].href;
      } else if (event.key === "Escape") {
        input.focus();
        list.hidden = true;
      }
    };
    input.parentElement.addEventListener("focusout", function (event) { // to null where the mouse is pressed
      if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) list.hidden = true;
    });
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
