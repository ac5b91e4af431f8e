import { describeInChromium, withPage } from "./chromium.ts";
import { describeInFirefox } from "./firefox.ts";
import type { WithTab } from "./tab.ts";

/** A `describe` whose tests run in Chromium and in Firefox; see `describeIn`. */
export function describeInBrowsers(name: string, body: (withTab: WithTab) => void) {
  describeInChromium(`${name}, in Chromium`, () => body(withPage));
  describeInFirefox(`${name}, in Firefox`, body);
}
