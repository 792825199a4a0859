import { hash } from 'node:crypto'

import type { GenerateCodec } from '../contract/codec.ts'
import type { AssistantPart, Signature } from '../generate/content.ts'
import type { GenerateEvent } from '../generate/events.ts'
import type { GenerateRequest, Turn } from '../generate/request.ts'
import type { GenerateResult } from '../generate/result.ts'

/**
 * The codec for the replies of one account. If only the account itself accepts its signatures, the codec
 * marks each signature with its account.
 */
export function markSignatures(accountId: string, codec: GenerateCodec): GenerateCodec {
  if (!codec.bindsSignatures) return codec
  const mark = (signature: Signature): Signature => {
    return { ...signature, account: markOf(accountId, signature) }
  }
  return {
    ...codec,
    decodeResult(reply, request) {
      const result = codec.decodeResult(reply, request)
      return 'type' in result ? result : resultWith(result, mark)
    },
    decodeEvents: (request, emit) =>
      codec.decodeEvents(request, (event) => emit(eventWith(event, mark))),
  }
}

/** The request without the signatures that the account would reject. */
export function dropForeignSignatures(
  accountId: string,
  { bindsSignatures }: Pick<GenerateCodec, 'bindsSignatures'>,
  request: GenerateRequest,
): GenerateRequest {
  if (!bindsSignatures) return request
  const keep = (signature: Signature): Signature | undefined =>
    signature.account === markOf(accountId, signature) ? signature : undefined
  return { ...request, turns: request.turns.map((turn) => turnWith(turn, keep)) }
}

/**
 * The mark of an account for one signature. Clients see it, so it is a digest that does not reveal the
 * account and differs from signature to signature.
 */
function markOf(accountId: string, { value }: Signature): string {
  return hash('sha256', JSON.stringify([accountId, value]), 'base64url').slice(0, 16)
}

type Change = (signature: Signature) => Signature | undefined

function eventWith(event: GenerateEvent, change: (own: Signature) => Signature): GenerateEvent {
  return event.type === 'signature' ? { ...event, signature: change(event.signature) } : event
}

function resultWith(result: GenerateResult, change: Change): GenerateResult {
  const choices = result.choices.map((choice) => {
    return { ...choice, content: choice.content.map((part) => partWith(part, change)) }
  })
  return { ...result, choices }
}

function turnWith(turn: Turn, change: Change): Turn {
  if (turn.role !== 'assistant') return turn
  return { ...turn, content: turn.content.map((part) => partWith(part, change)) }
}

function partWith(part: AssistantPart, change: Change): AssistantPart {
  if (!('signature' in part) || !part.signature) return part
  const { signature: old, ...unsigned } = part
  const signature = change(old)
  return signature ? { ...unsigned, signature } : unsigned
}
