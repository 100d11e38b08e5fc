-- html_style - how a report looks: light and dark, from 390 pixels to 4K.

return [[
:root{color-scheme:light dark;--paper:#fff;--panel:#f3f4f6;--ink:#1f2328;--muted:#59636e;--line:#d8dee4;--mark:#2a6fbb;
--warn:#b42318}
@media(prefers-color-scheme:dark){:root{--paper:#0d1117;--panel:#161b22;--ink:#e6edf3;--muted:#9aa4af;--line:#30363d;
--mark:#6cb0f5;--warn:#ff8f85}}
*{box-sizing:border-box}
html{font-size:clamp(14px,.42vw + 9.5px,24px)}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,
"DejaVu Sans",sans-serif}
header{position:sticky;top:0;z-index:2;background:var(--paper);border-bottom:1px solid var(--line);
padding:.5rem clamp(.75rem,2vw,2.5rem) 0}
h1{font-size:1.05rem;margin:0 0 .3rem;font-weight:650}
h1 small{color:var(--muted);font-weight:400;margin-left:.6em}
nav{display:flex;gap:.2rem;overflow-x:auto;scrollbar-width:thin}
nav a{padding:.35rem .7rem;color:var(--muted);text-decoration:none;border-bottom:3px solid transparent;
white-space:nowrap}
nav a:hover{color:var(--ink)}
nav a[aria-current=page]{color:var(--ink);border-color:var(--mark);font-weight:600}
main{padding:1rem clamp(.75rem,2vw,2.5rem) 3rem}
section>h2{font-size:1.3rem;margin:.2rem 0 .6rem}
section{scroll-margin-top:30rem}
.tabbed section{display:none}
.tabbed section.on{display:block}
h3{font-size:1.05rem;margin:1.6rem 0 .4rem}
p{margin:.3rem 0;max-width:75ch}
.verdict{padding:.6rem .9rem;background:var(--panel);border-left:4px solid var(--mark);border-radius:4px;
max-width:none;margin:.5rem 0}
.verdict p{max-width:none}
.verdict pre{background:var(--paper);margin:.4rem 0}
.bad{border-color:var(--warn)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.6rem;margin:.8rem 0}
.fact{background:var(--panel);border-radius:6px;padding:.55rem .8rem}
.fact b{display:block;font-size:1.3rem;font-weight:600;font-variant-numeric:tabular-nums}
.fact span{color:var(--muted);font-size:.88rem}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,34rem),1fr));gap:1rem;align-items:start}
figure{margin:0;padding:.6rem;border:1px solid var(--line);border-radius:6px;background:var(--paper);min-width:0}
figure svg{display:block;width:100%;height:auto}
figure .save{text-align:right;line-height:1}
button{font:inherit;font-size:.82rem;color:var(--muted);background:none;border:1px solid var(--line);border-radius:4px;
padding:.15rem .5rem;margin-left:.3rem;cursor:pointer}
button:hover{color:var(--ink);border-color:var(--muted)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px;margin:.5rem 0 1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.28rem .7rem;text-align:left;white-space:nowrap;border-bottom:1px solid var(--line)}
tr:last-child td{border-bottom:0}
th{background:var(--panel);font-weight:600;position:sticky;top:0}
th button{border:0;padding:0;margin:0;font-size:1rem;font-weight:600;color:inherit}
.n{text-align:right}
td.wide{white-space:normal;min-width:16rem;max-width:60ch}
td:first-child{max-width:34rem;overflow:hidden;text-overflow:ellipsis}
td .bar{display:block;height:3px;background:var(--mark);opacity:.65;border-radius:2px;margin-top:1px}
.note{color:var(--muted);font-size:.92rem}
pre{overflow-x:auto;background:var(--panel);padding:.7rem;border-radius:6px}
:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
#view{position:relative;border:1px solid var(--line);border-radius:6px;overflow:hidden;touch-action:pan-y}
#view canvas{display:block;width:100%;cursor:grab;touch-action:pan-y}
#tools{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:.5rem 0}
#tools button{margin:0;font-size:.9rem;padding:.25rem .6rem}
#tools input{font:inherit;font-size:.9rem;padding:.2rem .5rem;border:1px solid var(--line);border-radius:4px;
background:var(--paper);color:var(--ink);min-width:8rem;flex:0 1 16rem}
#about{min-height:3.2em;padding:.5rem .2rem}
#legend{display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:.85rem;color:var(--muted)}
#legend i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.35em;vertical-align:-.05em}
kbd{border:1px solid var(--line);border-radius:3px;padding:0 .3em;font-size:.85em}
@media print{header{position:static}.tabbed section{display:block}}
]]
