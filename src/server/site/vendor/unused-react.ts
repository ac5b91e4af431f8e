/**
 * Functions of react-dom that only run for what the application does not use: they are emptied, and
 * what only they called goes from the bundle with them. Whoever begins to use one of these takes its
 * line away; a name that a new React lacks stops the build.
 */
const UNUSED = {
  viewTransitions:
    "startViewTransition commitAfterMutationEffectsOnFiber measureNestedViewTransitions commitEnterViewTransitions commitExitViewTransitions commitDeletedPairViewTransitions commitAppearingPairViewTransitions commitNestedViewTransitions trackEnterViewTransitions restoreNestedViewTransitions restoreEnterOrExitViewTransitions restorePairedViewTransitions getViewTransitionName createViewTransitionInstance scheduleViewTransitionEvent reportViewTransitionError",
  fragmentRefs:
    "commitFragmentInstanceInsertionEffects commitFragmentInstanceDeletionEffects commitNewChildToFragmentInstance commitNewChildToFragmentInstances",
  /** `<title>`, `<meta>`, `<link>` and `<style>` that a component renders into the page's head. */
  hoistedElements:
    "isHostHoistableType acquireResource mountHoistable createHoistableInstance getHydratableHoistableCache getResource preloadResourceAndSuspendIfNeeded suspendResource insertSuspendedStylesheets",
  /** What `react-dom` can preload: the page does. */
  preloads: "preconnectAs preload preloadModule preinitStyle preinitScript preinitModuleScript",
  suspenseLists: "updateSuspenseListComponent findFirstSuspended cutOffTailIfNeeded",
  actionStates: "mountActionState updateActionState updateActionStateImpl rerenderActionState",
  customElements: "setPropOnCustomElement",
  /** Which components an error came through: made by calling them once more, and read by nobody. */
  componentStacks: "getStackByFiberInDevAndProd",
  /** What a compiler of components would call. */
  memoCaches: "useMemoCache",
  /** For who asks React to hydrate one place first. */
  hydrationTargets: "attemptExplicitHydrationTarget",
} satisfies Record<string, string>;

const METHODS = /^FragmentInstance\.prototype\.\w+ = function[^]*?^\};$/gm;

/** Empties them in the source of `react-dom`. @throws {Error} Where one is not there. */
export function withoutUnused(source: string): string {
  const names = Object.values(UNUSED).flatMap((each) => each.split(" "));
  return names.reduce(
    (code, name) => {
      const whole = new RegExp(`^function ${name}\\([^]*?^\\}$`, "m");
      if (!whole.test(code)) throw new Error(`Expected the function ${name} in react-dom.`);
      return code.replace(whole, `function ${name}() {}`);
    },
    source.replaceAll(METHODS, ""),
  );
}
