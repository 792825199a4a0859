import type { AttemptEnvironment } from '../upstream/environment.ts'

/**
 * The environment of dry runs: it sends nothing and stores nothing, and no hook learns of an attempt or
 * an outcome.
 */
export function dryEnvironment(environment: AttemptEnvironment): AttemptEnvironment {
  const { hooks, translation } = environment
  const silent = { attempt: undefined, outcome: undefined, produced: undefined, refusal: undefined }
  return {
    ...environment,
    client: { send: refuse, retain() {}, close: async () => {} },
    hooks: { ...hooks, ...silent },
    translation: {
      ...translation,
      ...translation.unsent,
      remote: { check: (url) => translation.remote.check(url), send: refuse },
      signatures: { ...translation.signatures, keep: async () => {} },
    },
  }
}

/** A defect of the dry run, which plans requests and sends none. */
function refuse(): never {
  throw new Error('A dry run sends nothing.')
}
