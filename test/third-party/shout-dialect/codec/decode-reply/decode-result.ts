import {
  type AssistantPart,
  defined,
  type ErrorEvent,
  GatewayError,
  type GenerateRequest,
  type GenerateResult,
  type JsonObject,
  objectsIn,
  originOf,
  stringAt,
  toolIdOf,
} from '../../../../../src/dialect-kit/index.ts'
import { decodeCall } from '../calls.ts'
import { decodeEnd } from '../ending.ts'
import { decodeTally } from '../tally.ts'
import { decodeFailure } from './failure.ts'

/** A whole reply of an account: `{id, voice, echo, calls, end, tally}`. */
export function decodeResult(
  reply: JsonObject,
  request: GenerateRequest,
): GenerateResult | ErrorEvent {
  const failure = decodeFailure(reply)
  if (failure) return failure
  const { echo = '' } = reply
  const id = stringAt(reply, 'id')
  const origin = originOf(request, id)
  const calls = objectsIn(reply.calls).map((call, index) =>
    decodeCall(call, () => toolIdOf(origin, index)),
  )
  if (typeof echo !== 'string' || (reply.echo === undefined && calls.length === 0)) {
    throw new GatewayError('upstream_invalid_reply', "The upstream's reply has no echo.")
  }
  const said: AssistantPart[] = echo === '' ? [] : [{ type: 'text', text: echo }]
  return {
    ...defined({ id, model: stringAt(reply, 'voice') }),
    choices: [{ content: [...said, ...calls], stop: decodeEnd(reply.end, calls.length > 0) }],
    usage: decodeTally(reply.tally),
  }
}
