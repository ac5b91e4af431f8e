/** Says on whatever screen is there, until somebody closes it, what became of one that was left. */
export function sayLate(text: string): void {
  const notice = document.createElement("div");
  notice.className = "notice danger";
  notice.role = "alert";
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button plain";
  close.textContent = "Close";
  close.addEventListener("click", () => {
    notice.remove();
    document.querySelector("h1")?.focus();
  });
  notice.append(`${text} `, close);
  // Beside what React keeps in there, which leaves alone what it does not know.
  (document.querySelector("main") ?? document.body).prepend(notice);
}
