import type { Account } from '../../../src/contract/account.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { mask } from '../../../src/kit/secrets/mask.ts'
import { containsKey, redact, redactBytes } from '../../../src/kit/secrets/redact.ts'
import { applyEdits } from '../../../src/lib/json/edit.ts'
import { type JsonObject, parseObject } from '../../../src/lib/json/object.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { findMember } from '../../../src/lib/json/scan.ts'
import { replyModelOf } from '../../../src/upstream/native.ts'

/** An event of an account that the gateway has read. */
interface AccountEvent {
  /** As the client gets it. */
  readonly message: Buffer
  readonly type: string | undefined
  readonly json: JsonObject
}

/** Reads an event of an account. One that passes, such as a piece of audio, has no type. */
export type ReadAccountEvent = (message: Buffer) => AccountEvent

/** What the account writes down of what the user said: pieces of it, its end or its failure. */
export const transcription = 'conversation.item.input_audio_transcription.'

/** Texts of the events that the gateway reads. */
const words = ['"response.created"', '"response.done"', '"error"', '"session.', `"${transcription}`]

/** Creates the reader of the events of one session. `secret`: the account's key, if it is not the account's usual one. */
export function accountEvents(exchange: Routed, secret: string | undefined): ReadAccountEvent {
  const { account } = exchange.candidate
  const model = replyModelOf(exchange)
  return (given) => {
    const passed = withoutKeys(given, secret, account)
    const json = words.some((word) => passed.includes(word))
      ? parseObject(passed.toString())
      : undefined
    if (!json) return { message: passed, type: undefined, json: {} }
    const type = stringAt(json, 'type')
    // Errors name addresses, also the errors inside of responses and transcriptions.
    const message = passed.includes('"error"') ? redactBytes(passed, json, account) : passed
    const isNamed = model !== undefined && type?.startsWith('session.')
    return { message: isNamed ? withModel(message, model) : message, type, json }
  }
}

/** A description of the session, with the name of its model that the client knows. */
function withModel(message: Buffer, model: string): Buffer {
  const session = findMember(message, 0, 'session')
  const at = session && findMember(message, session.start, 'model')
  return at ? applyEdits(message, [{ ...at, text: JSON.stringify(model) }]) : message
}

function withoutKeys(message: Buffer, secret: string | undefined, account: Account): Buffer {
  const isOwn = secret !== undefined && message.includes(secret)
  if (!isOwn && !containsKey(message, account)) return message
  return Buffer.from(hideKeys(message.toString(), secret, account))
}

/** A text of the account for its client. `secret`: see `accountEvents`. */
export function hideKeys(text: string, secret: string | undefined, account: Account): string {
  return redact(secret === undefined ? text : text.replaceAll(secret, mask), account)
}
