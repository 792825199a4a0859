import type { Answer } from '../../../src/testing/fake-account.ts'
import { type Form, upToOutput } from '../streams/forms.ts'
import { createGate, openStream } from '../streams/scripted.ts'

/** An account that shows its output, and the rest when the test lets it. */
export interface Pausing {
  readonly script: Answer
  goOn(): void
}

export function pausing(form: Form, rest: readonly string[] = form.ending): Pausing {
  const gate = createGate()
  return {
    async script(response) {
      openStream(response, upToOutput(form))
      await gate.opened
      response.end(rest.join(''))
    },
    goOn: gate.open,
  }
}
