import { ok } from 'node:assert/strict'

import type { GenerateCodec } from '../../contract/codec.ts'
import type { AssistantPart, Signature } from '../../generate/content.ts'
import type { GenerateResult } from '../../generate/result.ts'
import type { JsonObject } from '../../lib/json/object.ts'
import { requestAfter } from './codec-requests.ts'
import { signedReplies } from './codec-results.ts'
import type { CodecStage, StageCheck } from './codec-stage.ts'

/** A signature that is as valid as text as it is as base64. */
const plain = 'c2lnbmF0dXJl'
const long = plain.repeat(40)

/** The signatures of what a reply holds: the client brings them back, or the gateway keeps them for it. */
export function signatureChecks(codec: GenerateCodec): StageCheck[] {
  return Object.entries(signedReplies).map(([what, signed]) => ({
    name: `the signature of ${what} returns to its account, or \`forgetsSignatures\` is set`,
    run(stage) {
      const own = ownReply(stage, signed)
      ok(own.length > 0, 'the reply is read')
      if (codec.forgetsSignatures) return
      ok(own.some(signatureOf), `clients get no signature of ${what}`)
      const back = stage.roundTrip(requestAfter(own)).turns
      const content = back.flatMap((turn) => (turn.role === 'assistant' ? turn.content : []))
      for (const { value, dialect } of own.flatMap((part) => signatureOf(part) ?? [])) {
        const returned = content.flatMap((part) => signatureOf(part) ?? [])
        ok(
          returned.some((one) => one.value === value && one.dialect === dialect),
          `wrote ${JSON.stringify(own)}, read ${JSON.stringify(content)}`,
        )
      }
    },
  }))
}

/**
 * A signed reply as accounts of the dialect send it: a client's reply with a signature of another dialect, whose
 * place has a signature of their own. Without a place, the reply has no signature.
 */
function ownReply(
  stage: CodecStage,
  signed: (signature: Signature) => GenerateResult,
): readonly AssistantPart[] {
  const write = (value: string) => stage.writeResult(signed({ dialect: 'elsewhere', value }))
  const read = stage.readResult(replaced(write(long), write(plain)) as JsonObject)
  return 'choices' in read ? (read.choices[0]?.content ?? []) : []
}

/** The first JSON with each text replaced that is longer there by the long signature. */
function replaced(one: unknown, other: unknown): unknown {
  if (typeof one === 'string') {
    return one.length - String(other).length >= long.length - plain.length ? plain : one
  }
  if (Array.isArray(one)) return one.map((item, at) => replaced(item, (other as unknown[])[at]))
  if (typeof one !== 'object' || one === null) return one
  return Object.fromEntries(
    Object.entries(one).map(([name, value]) => [
      name,
      replaced(value, (other as JsonObject)[name]),
    ]),
  )
}

function signatureOf(part: AssistantPart): Signature | undefined {
  return 'signature' in part ? part.signature : undefined
}
