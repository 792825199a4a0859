import {
  callIdsIn,
  type EncodedResult,
  type GenerateResult,
  isCall,
  type ReplyContext,
} from '../../../../../src/dialect-kit/index.ts'
import { encodeCall } from '../calls.ts'
import { encodeEnd } from '../ending.ts'
import { encodeTally } from '../tally.ts'
import { dropCitations, dropPart } from './drop.ts'

/** A whole reply for a client. Its dialect has one answer to a request. */
export function encodeResult(result: GenerateResult, context: ReplyContext): EncodedResult {
  const { content = [], stop = { reason: 'stop' } as const } = result.choices[0] ?? {}
  const id = context.newId('shout_')
  const calls = content.filter(isCall).map(encodeCall)
  let echo = ''
  for (const part of content) {
    dropPart(part.type, context)
    if (part.type === 'text' && part.citations) dropCitations(context)
    if (part.type === 'text' || part.type === 'refusal') echo += part.text
  }
  return {
    id,
    items: callIdsIn(result),
    body: {
      id,
      voice: context.model,
      echo,
      ...(calls.length > 0 && { calls }),
      end: encodeEnd(stop),
      ...encodeTally(result.usage),
    },
  }
}
