import type { ServerResponse } from 'node:http'

import {
  type AccountRequest,
  type FakeAccount,
  answerJson,
  startFakeAccount,
} from '../../src/testing/fake-account.ts'
import { type Form, upToOutput, wholeStream } from '../walks/streams/forms.ts'
import { openStream } from '../walks/streams/scripted.ts'

/** A request to an account that may hold it. */
export interface Held {
  readonly request: AccountRequest
  readonly response: ServerResponse
  readonly isStream: boolean
  /** Writes the whole answer. */
  readonly finish: () => void
  /** Begins a stream, which ends with `finish` of the account. */
  readonly hold: () => void
}

/** An account whose streams begin, and end when a test says so. */
export interface HoldingAccount extends FakeAccount {
  /** Ends all streams that are held. */
  finish(): void
}

const holdStreams = ({ isStream, finish, hold }: Held) => (isStream ? hold() : finish())

/** Starts an account of a dialect. `script`: what becomes of each request. Default: streams are held. */
export async function startHoldingAccount(
  form: Form,
  script: (held: Held) => void = holdStreams,
): Promise<HoldingAccount> {
  const ending = new Set<() => void>()
  const account = await startFakeAccount((response, request) => {
    const isStream = /"stream":true|:streamGenerateContent/.test(request.body + request.url)
    const held: Held = {
      request,
      response,
      isStream,
      finish() {
        if (!isStream) return void answerJson(form.reply)(response, request)
        openStream(response, wholeStream(form))
        response.end()
      },
      hold() {
        openStream(response, upToOutput(form))
        ending.add(() => response.end(wholeStream(form).slice(upToOutput(form).length).join('')))
      },
    }
    script(held)
  })
  return {
    ...account,
    finish() {
      for (const end of ending) end()
      ending.clear()
    },
  }
}
