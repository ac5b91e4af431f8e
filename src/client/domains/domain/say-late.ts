import { getSession, watchSession, whoIsHere } from "../../session/session-store.ts";

/**
 * Says what became of a screen that was left, on whatever screen is there until somebody closes it.
 * It is for who is here now: it goes when they leave, and waits while their session has ended.
 */
export function sayLate(text: string): void {
  const person = whoIsHere();
  const notice = document.createElement("div");
  notice.className = "notice danger";
  notice.role = "alert";
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button plain";
  close.textContent = "Close";
  close.addEventListener("click", () => {
    end();
    notice.remove();
    document.querySelector("h1")?.focus();
  });
  notice.append(`${text} `, close);

  function follow() {
    const here = getSession().state === "signed-in" && whoIsHere() === person;
    if (whoIsHere() !== person) end();
    if (!here) notice.remove();
    // Beside what React keeps in there, which leaves alone what it does not know.
    else if (!notice.isConnected) (document.querySelector("main") ?? document.body).prepend(notice);
  }
  const end = watchSession(follow);
  follow();
}
