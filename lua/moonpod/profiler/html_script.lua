-- html_script - what a report does: views by tabs and keys, tables that sort, charts as files, the trace.

local script = {}

-- Tabs, tables, charts.
script.page = [==[
(function(){
"use strict";
var sections=[].slice.call(document.querySelectorAll("main>section")),links=[].slice.call(
document.querySelectorAll("nav a"));
function show(){var id=location.hash.slice(1),found=sections.some(function(s){return s.id===id});
if(!found)id=sections[0].id;
sections.forEach(function(s){s.classList.toggle("on",s.id===id)});
links.forEach(function(a){if(a.hash==="#"+id){a.setAttribute("aria-current","page");
if(a.scrollIntoView)a.scrollIntoView({block:"nearest",inline:"nearest"})}else a.removeAttribute("aria-current")});
document.body.classList.add("tabbed");window.scrollTo(0,0);
if(id==="trace"&&window.podTrace)window.podTrace()}
addEventListener("hashchange",show);
addEventListener("keydown",function(e){
if(e.target.tagName==="INPUT"||e.ctrlKey||e.metaKey||e.altKey)return;
var i="1234567890-".indexOf(e.key);
if(i>=0&&sections[i])location.hash=sections[i].id;
if(e.key==="["||e.key==="]"){var at=sections.findIndex(function(s){return s.classList.contains("on")});
var to=sections[at+(e.key==="]"?1:-1)];if(to)location.hash=to.id}});
document.querySelectorAll("th button").forEach(function(b){b.addEventListener("click",function(){
var th=b.parentNode,i=th.cellIndex,body=th.closest("table").tBodies[0],up=th.getAttribute("aria-sort")==="descending";
th.parentNode.querySelectorAll("th").forEach(function(o){o.removeAttribute("aria-sort")});
th.setAttribute("aria-sort",up?"ascending":"descending");
[].slice.call(body.rows).sort(function(r,q){var a=r.cells[i].dataset.v,b=q.cells[i].dataset.v,d;
d=a!==undefined&&b!==undefined?a-b:r.cells[i].textContent.localeCompare(q.cells[i].textContent);
return up?d:-d}).forEach(function(r){body.appendChild(r)})})});
function give(blob,name){var a=document.createElement("a");a.href=URL.createObjectURL(blob);a.download=name;
document.body.appendChild(a);a.click();a.remove();setTimeout(function(){URL.revokeObjectURL(a.href)},9000)}
document.querySelectorAll("figure[data-name]").forEach(function(f){
var svg=f.querySelector("svg");
function text(){var c=svg.cloneNode(true);c.setAttribute("xmlns","http://www.w3.org/2000/svg");
return new XMLSerializer().serializeToString(c)}
f.querySelectorAll("button").forEach(function(b){b.addEventListener("click",function(){
var blob=new Blob([text()],{type:"image/svg+xml"});
if(b.dataset.as==="svg")return give(blob,f.dataset.name+".svg");
var image=new Image(),box=svg.viewBox.baseVal;
image.onload=function(){var c=document.createElement("canvas");c.width=box.width*2;c.height=box.height*2;
c.getContext("2d").drawImage(image,0,0,c.width,c.height);
c.toBlob(function(png){give(png,f.dataset.name+".png")},"image/png")};
image.src="data:image/svg+xml;charset=utf-8,"+encodeURIComponent(text())})})});
window.podGive=give;show()})();
]==]

-- The trace: each line of each thread has its slices in the order of time; of those narrower than two pixels one is
-- drawn for each pixel, and the next is found by halving, so that a picture takes as long for a million as for a
-- thousand. They are pixels of a picture of one row a line, which is drawn as high as the lines are.
script.trace = [==[
(function(){
"use strict";
var source=document.getElementById("events");if(!source)return;
var D=JSON.parse(source.textContent),canvas=document.querySelector("#view canvas"),g=canvas.getContext("2d"),
about=document.getElementById("about"),search=document.getElementById("search"),rows=[],lanes=[],total=D.seconds*1e9,
from=0,to=total,picked=null,pointer=null,ready=false,small=document.createElement("canvas"),raws={},ROW=18,HEAD=20;
var HUES={compute:["#2a6fbb","#6cb0f5"],barrier:["#8e44ad","#c792ea"],launch:["#6b7280","#a9b1bb"],
input_wait:["#d1495b","#f4848f"],input_read:["#b8720a","#f0b357"],input_work:["#c98a1b","#e0a94a"],
input_feed:["#a0522d","#dd9a6b"],host:["#2e8540","#63c174"],callback:["#0b8a9c","#56d0de"],
trace:["#7c6fd0","#a79df0"],compile:["#5d4fb3","#8f83e6"],output:["#4a7c59","#8cc29b"],
garbage:["#9c6b8a","#d39cc0"],other:["#8b949e","#8b949e"]};
function unpack(list){var n=list.length/5,L={n:n,b:new Float64Array(n),d:new Float64Array(n),m:new Uint32Array(n),
p:new Uint8Array(n)},t=0,deep=[],i,k;
for(i=0;i<n;i++){t+=list[i*5];L.b[i]=t;L.d[i]=list[i*5+1];L.m[i]=list[i*5+2];L.p[i]=list[i*5+3];
k=list[i*5+4];(deep[k]=deep[k]||[]).push(i)}
L.rows=deep.map(function(r){return Uint32Array.from(r||[])});return L}
D.lanes.forEach(function(l){var L=unpack(l.events);L.name=l.name;L.steps=l.steps;l.events=null;lanes.push(L)});
function name(L,i){return L.steps?"step "+L.m[i]:D.names[L.m[i]]}
function time(ns){var a=Math.abs(ns);return a>=1e9?(ns/1e9).toFixed(3)+" s":a>=1e6?(ns/1e6).toFixed(3)+" ms":
a>=1e3?(ns/1e3).toFixed(2)+" us":Math.round(ns)+" ns"}
function dark(){return matchMedia("(prefers-color-scheme:dark)").matches}
function css(v){return getComputedStyle(document.documentElement).getPropertyValue(v).trim()}
function raw(c){return raws[c]||(raws[c]=(255<<24|parseInt(c.slice(5,7),16)<<16|parseInt(c.slice(3,5),16)<<8|
parseInt(c.slice(1,3),16))>>>0)}
function place(){rows=[];var y=HEAD;lanes.forEach(function(L){L.y=y;y+=ROW;
L.rows.slice(0,24).forEach(function(r,k){rows.push({L:L,r:r,y:y,k:k});y+=ROW});y+=6});return y}
function after(L,r,t,lo){var n=r.length,hi=n,step=1,m;lo=lo||0;
if(lo){while(lo+step<n&&L.b[r[lo+step]]+L.d[r[lo+step]]<=t)step*=2;hi=Math.min(n,lo+step+1)}
while(lo<hi){m=(lo+hi)>>1;if(L.b[r[m]]+L.d[r[m]]>t)hi=m;else lo=m+1}return lo}
function draw(){
var ratio=devicePixelRatio||1,width=canvas.parentNode.clientWidth,height=place(),scale,shade=dark()?1:0,
wanted=search.value.toLowerCase();
ROW=Math.max(18,parseFloat(getComputedStyle(document.documentElement).fontSize)*1.25);height=place();
canvas.style.height=height+"px";
if(canvas.width!==Math.round(width*ratio)||canvas.height!==Math.round(height*ratio)){
canvas.width=Math.round(width*ratio);canvas.height=Math.round(height*ratio)}
g.setTransform(ratio,0,0,ratio,0,0);g.clearRect(0,0,width,height);
scale=width/(to-from);var ink=css("--ink"),muted=css("--muted"),line=css("--line"),panel=css("--panel"),
size=Math.round(ROW*.62);g.font=size+"px system-ui,sans-serif";g.textBaseline="middle";
var step=Math.pow(10,Math.floor(Math.log10((to-from)/(width/90)))),tick;
[1,2,5,10].some(function(f){if(step*f*scale>=80){step*=f;return true}});
g.fillStyle=muted;g.strokeStyle=line;g.beginPath();
for(tick=Math.ceil(from/step)*step;tick<to;tick+=step){var x=(tick-from)*scale;g.moveTo(x,HEAD-4);g.lineTo(x,height);
g.fillText(time(tick),x+3,HEAD/2)}g.stroke();
lanes.forEach(function(L){g.fillStyle=panel;g.fillRect(0,L.y,width,ROW-2);g.fillStyle=ink;
g.fillText(L.name,6,L.y+ROW/2-1)});
var drawn=0,wide=Math.ceil(width),thin=small.getContext("2d"),used=[],pixels,bits;
small.width=wide;small.height=Math.max(rows.length,1);pixels=thin.createImageData(wide,small.height);
bits=new Uint32Array(pixels.data.buffer);
rows.forEach(function(q,row){var L=q.L,r=q.r,i=after(L,r,from),y=q.y,h=ROW-2;
while(i<r.length){var e=r[i],b=L.b[e];if(b>to)break;
var x0=Math.max((b-from)*scale,0),x1=Math.min((b+L.d[e]-from)*scale,width),w=x1-x0,
part=D.parts[L.p[e]],text=w>30||wanted?name(L,e):"",colour,hit=wanted&&text.toLowerCase().indexOf(wanted)>=0;
colour=L.steps?(q.k%2?muted:["#57606a","#8b949e"][shade]):(HUES[part]||HUES.other)[shade];
if(w<2&&!wanted){var px=Math.min(Math.floor(x0),wide-1);bits[row*wide+px]=raw(colour);used[row]=true;drawn++;
if(x0+w>px+1.5&&px+1<wide)bits[row*wide+px+1]=raw(colour);
i=Math.max(after(L,r,from+(px+1)/scale,i),i+1);continue}
g.globalAlpha=wanted&&!hit?.2:1;g.fillStyle=colour;
g.fillRect(x0,y,Math.max(w-.5,1),h);drawn++;
if(picked&&picked.L===L&&picked.e===e){g.globalAlpha=1;g.strokeStyle=ink;g.lineWidth=2;
g.strokeRect(x0+1,y+1,Math.max(w-2,1),h-2);g.lineWidth=1}
if(w>30){g.fillStyle=shade?"#0d1117":"#fff";
var most=Math.floor((w-6)/(size*.6));g.fillText(text.length>most?text.slice(0,most-1)+"\u2026":text,x0+4,y+h/2,w-6)}
i++}});
thin.putImageData(pixels,0,0);g.imageSmoothingEnabled=false;
rows.forEach(function(q,row){if(used[row])g.drawImage(small,0,row,wide,1,0,q.y,wide,ROW-2)});
g.globalAlpha=1;canvas.dataset.drawn=drawn;
canvas.setAttribute("aria-label","Trace from "+time(from)+" to "+time(to)+", "+drawn+" slices drawn")}
var waiting=false;function later(){if(!waiting){waiting=true;requestAnimationFrame(function(){waiting=false;draw()})}}
function clamp(a,b){var w=Math.min(Math.max(b-a,50),total);a=Math.min(Math.max(a,0),total-w);from=a;to=a+w;later()}
function zoom(f,at){var t=from+(to-from)*at;clamp(t-(t-from)*f,t+(to-t)*f)}
function pan(s){var w=(to-from)*s;clamp(from+w,to+w)}
function at(x,y){var t=from+(to-from)*x/canvas.clientWidth,slack=(to-from)/canvas.clientWidth*2,found=null;
rows.forEach(function(q){if(y>=q.y&&y<q.y+ROW){var i=after(q.L,q.r,t-slack);
if(i<q.r.length&&q.L.b[q.r[i]]<=t+slack)found={L:q.L,e:q.r[i],q:q,i:i}}});return found}
function tell(f){if(!f){about.textContent="";return}
about.textContent="";var b=document.createElement("b");b.textContent=name(f.L,f.e);about.appendChild(b);
about.appendChild(document.createElement("br"));
about.appendChild(document.createTextNode(time(f.L.d[f.e])+" from "+time(f.L.b[f.e])+" on "+f.L.name+
(f.L.steps?"":", "+D.parts[f.L.p[f.e]])))}
function pick(f,centre){picked=f;tell(f);if(f&&centre){var L=f.L,b=L.b[f.e],e=b+L.d[f.e];
if(b<from||e>to){var w=Math.max(to-from,L.d[f.e]*1.2);clamp((b+e-w)/2,(b+e+w)/2)}}later()}
function neighbour(d){var q=picked&&picked.q,i;if(!q){q=rows[0];i=after(q.L,q.r,from)-d+(d>0?0:0);i+=d>0?0:0}
else i=picked.i;i+=q===(picked&&picked.q)?d:0;
if(q&&i>=0&&i<q.r.length)pick({L:q.L,e:q.r[i],q:q,i:i},true)}
function row(d){var k=picked?rows.indexOf(picked.q)+d:0,q=rows[k];if(!q)return;
var t=picked?picked.L.b[picked.e]:from,i=Math.min(after(q.L,q.r,t),q.r.length-1);
if(i>=0)pick({L:q.L,e:q.r[i],q:q,i:i},true)}
var KEYS={w:function(){zoom(.7,.5)},s:function(){zoom(1/.7,.5)},a:function(){pan(-.2)},d:function(){pan(.2)},
"+":function(){zoom(.7,.5)},"-":function(){zoom(1/.7,.5)},f:function(){if(picked){var L=picked.L,b=L.b[picked.e],
l=Math.max(L.d[picked.e],50);clamp(b-l*.1,b+l*1.1)}},r:function(){clamp(0,total)},
ArrowLeft:function(){neighbour(-1)},ArrowRight:function(){neighbour(1)},ArrowUp:function(){row(-1)},
ArrowDown:function(){row(1)}};
canvas.addEventListener("keydown",function(e){if(e.ctrlKey||e.metaKey||e.altKey)return;
if(KEYS[e.key]){KEYS[e.key]();e.preventDefault();e.stopPropagation()}});
canvas.addEventListener("wheel",function(e){if(!e.ctrlKey&&!e.shiftKey&&document.activeElement!==canvas)return;
e.preventDefault();if(Math.abs(e.deltaX)>Math.abs(e.deltaY)||e.shiftKey)pan((e.deltaX||e.deltaY)/1000);
else zoom(Math.pow(1.0015,e.deltaY),e.offsetX/canvas.clientWidth)},{passive:false});
var held={};
canvas.addEventListener("pointerdown",function(e){held[e.pointerId]={x:e.offsetX,y:e.offsetY};
pointer={x:e.offsetX,from:from,to:to,moved:false};canvas.setPointerCapture(e.pointerId);canvas.focus()});
canvas.addEventListener("pointermove",function(e){var ids=Object.keys(held);
if(!pointer||!held[e.pointerId]){if(e.pointerType==="mouse"&&!picked)tell(at(e.offsetX,e.offsetY));return}
if(ids.length===2){var o=held[ids[0]==e.pointerId?ids[1]:ids[0]],was=Math.abs(held[e.pointerId].x-o.x),
now=Math.abs(e.offsetX-o.x);held[e.pointerId]={x:e.offsetX,y:e.offsetY};pointer.moved=true;
if(was>8&&now>8)zoom(was/now,(e.offsetX+o.x)/2/canvas.clientWidth);return}
var dx=e.offsetX-pointer.x;if(Math.abs(dx)>3)pointer.moved=true;
if(pointer.moved){var w=(pointer.to-pointer.from)*dx/canvas.clientWidth;clamp(pointer.from-w,pointer.to-w)}});
function up(e){delete held[e.pointerId];if(pointer&&!pointer.moved)pick(at(e.offsetX,e.offsetY));pointer=null}
canvas.addEventListener("pointerup",up);canvas.addEventListener("pointercancel",function(e){delete held[e.pointerId];
pointer=null});
document.querySelectorAll("#tools button").forEach(function(b){b.addEventListener("click",function(){
if(b.dataset.as==="png")canvas.toBlob(function(p){podGive(p,"trace.png")});else KEYS[b.dataset.key]()})});
search.addEventListener("input",later);
var legend=document.getElementById("legend");D.parts.forEach(function(p){if(!HUES[p])return;
var s=document.createElement("span"),i=document.createElement("i");i.style.background=HUES[p][dark()?1:0];
s.appendChild(i);s.appendChild(document.createTextNode(p));legend.appendChild(s)});
addEventListener("resize",later);
if(matchMedia("(prefers-color-scheme:dark)").addEventListener)
matchMedia("(prefers-color-scheme:dark)").addEventListener("change",later);
window.podTrace=function(){
if(!ready){ready=true;var L=lanes[0];if(L&&L.steps&&L.n>8){var k=Math.floor(L.n/2);
clamp(L.b[k],L.b[Math.min(k+3,L.n-1)]+L.d[Math.min(k+3,L.n-1)])}}draw()};
if(document.getElementById("trace").classList.contains("on"))podTrace()})();
]==]

return script
