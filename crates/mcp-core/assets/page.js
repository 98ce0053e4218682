"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
const number = (value) => value.toLocaleString("en");
const percent = (part, whole) => (whole ? `${Math.floor((1000 * part) / whole) / 10} %` : "none");

// A figure at the top of the page.
function card(label, value, className) {
  const element = make("div", "card");
  element.append(make("b", className || "", value), make("span", "quiet", label));
  find("cards").append(element);
}
find("title").textContent = document.title;
find("subtitle").textContent = data.subtitle;
