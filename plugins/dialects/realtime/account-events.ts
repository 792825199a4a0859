import type { Routed } from '../../../src/contract/exchange.ts'
import { mask } from '../../../src/kit/secrets/mask.ts'
import { redactBytes } from '../../../src/kit/secrets/redact.ts'
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

/** Reads an event of an account. `undefined`: one that passes as it is, such as a piece of audio. */
export type ReadAccountEvent = (message: Buffer) => AccountEvent | undefined

/** Texts of the events that the gateway reads. */
/** The account has written down what the user said. */
export const transcribed = 'conversation.item.input_audio_transcription.completed'

const words = ['"response.created"', '"response.done"', '"error"', '"session.', `"${transcribed}"`]

/** Creates the reader of the events of one session. `secret`: the account's key, if it is not the account's usual one. */
export function accountEvents(exchange: Routed, secret: string | undefined): ReadAccountEvent {
  const { account } = exchange.candidate
  const model = replyModelOf(exchange)
  return (message) => {
    if (!words.some((word) => message.includes(word))) return undefined
    const json = parseObject(message.toString())
    if (!json) return undefined
    const type = stringAt(json, 'type')
    if (type === 'error') return { message: redactBytes(message, json, account), type, json }
    if (!type?.startsWith('session.')) return { message, type, json }
    const named = model === undefined ? message : withModel(message, model)
    return { message: secret === undefined ? named : without(named, secret), type, json }
  }
}

/** A description of the session, with the name of its model that the client knows. */
function withModel(message: Buffer, model: string): Buffer {
  const session = findMember(message, 0, 'session')
  const at = session && findMember(message, session.start, 'model')
  return at ? applyEdits(message, [{ ...at, text: JSON.stringify(model) }]) : message
}

function without(message: Buffer, secret: string): Buffer {
  return message.includes(secret)
    ? Buffer.from(message.toString().replaceAll(secret, mask))
    : message
}
