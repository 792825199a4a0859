import { hash } from 'node:crypto'

import type { Account } from '../contract/account.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { AccountCodec } from '../contract/codec.ts'
import type { AssistantPart, Signature } from '../generate/content.ts'
import type { GenerateEvent } from '../generate/events.ts'
import type { GenerateRequest, Turn } from '../generate/request.ts'
import type { GenerateResult } from '../generate/result.ts'
import { rootOf } from '../kit/account-path.ts'

/** An account and the dialect in which it is asked, as far as signatures are bound to them. */
interface Signer {
  readonly account: Pick<Account, 'id' | 'origin' | 'basePath' | 'base' | 'roots'>
  readonly dialect: Pick<Candidate['dialect'], 'id'>
}

/** The parts of a codec that say which accounts accept a signature. */
type Binding = Pick<AccountCodec, 'bindsSignatures' | 'bindsToServer'>

/**
 * The codec for the replies of one account. If only the account or its server accepts a signature, the codec
 * marks the signature with it.
 */
export function markSignatures(signed: Signer, codec: AccountCodec): AccountCodec {
  if (!codec.bindsSignatures && !codec.bindsToServer) return codec
  const mark = (signature: Signature): Signature => {
    const signer = signerOf(signed, codec, signature)
    return signer === undefined ? signature : { ...signature, account: markOf(signer, signature) }
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
  signed: Signer,
  codec: Binding,
  request: GenerateRequest,
): GenerateRequest {
  if (!codec.bindsSignatures && !codec.bindsToServer) return request
  const keep = (signature: Signature): Signature | undefined => {
    const signer = signerOf(signed, codec, signature)
    const isOwn = signer === undefined || signature.account === markOf(signer, signature)
    return isOwn ? signature : undefined
  }
  return { ...request, turns: request.turns.map((turn) => turnWith(turn, keep)) }
}

/** What a signature of the account is bound to: the account, its server, or nothing. */
function signerOf(
  { account, dialect }: Signer,
  { bindsSignatures, bindsToServer }: Binding,
  signature: Signature,
): string | undefined {
  if (bindsSignatures) return account.id
  if (!bindsToServer?.(signature)) return undefined
  const { origin, basePath } = rootOf(account, dialect)
  return origin + basePath
}

/**
 * The mark of a signer for one signature. Clients see it, so it is a digest that does not reveal the
 * account and differs from signature to signature.
 */
function markOf(signer: string, { value }: Signature): string {
  return hash('sha256', JSON.stringify([signer, value]), 'base64url').slice(0, 16)
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
