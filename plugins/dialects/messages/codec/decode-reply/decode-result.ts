import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { AssistantPart } from '../../../../../src/generate/content.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateResult } from '../../../../../src/generate/result.ts'
import { objectsIn, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitations } from '../citations.ts'
import { failureOfError, isMessage, replyErrorIn } from './failure.ts'
import { CallIds } from '../../../shared/blocks/call-ids.ts'
import { isCall } from '../../../../../src/generate/match-results.ts'
import { readSignatureText } from '../signatures.ts'
import { failedEnd, readRefusal, readStop } from '../stop.ts'
import { argumentsTextOf } from '../../../shared/blocks/tool-input.ts'
import { ToolNames } from '../../../../../src/generate/names.ts'
import { UsageCount, readServedTier } from '../usage.ts'

/**
 * Decodes a complete message. Blocks of an account's own tools are left out. Returns an `ErrorEvent` where
 * the reply carries an error. Throws `upstream_invalid_reply` where it has no content.
 */
export function decodeResult(
  reply: JsonObject,
  request: GenerateRequest,
): GenerateResult | ErrorEvent {
  const error = replyErrorIn(reply)
  if (error) return failureOfError(error)
  const blocks = blocksOf(reply) ?? throwNoContent()
  const id = stringAt(reply, 'id')
  const model = stringAt(reply, 'model')
  const calls = new CallIds(request)
  const tools = new ToolNames(request.tools)
  const names: CallNames = {
    nameOf: (name) => tools.original(name),
    idOf: (block) => calls.next(stringAt(block, 'id'), id),
  }
  const content = blocks.flatMap((block) => readBlock(block, names))
  const refusal = readRefusal(reply)
  if (refusal) content.push({ type: 'refusal', text: refusal })
  const failed = failedEnd(reply.stop_reason, content.some(isAnswer))
  if (failed) return failed
  const usage = new UsageCount()
  usage.noteAll(objectAt(reply, 'usage'))
  const serviceTier = readServedTier(reply.usage)
  const stop = readStop(reply.stop_reason, reply.stop_sequence, content.some(isCall))
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    choices: [{ content, stop }],
    usage: usage.total,
    ...(serviceTier !== undefined && { serviceTier }),
  }
}

function isAnswer({ type }: AssistantPart): boolean {
  return type !== 'reasoning'
}

/** Returns the blocks of a reply. Some upstreams send plain text, or no content at all. */
function blocksOf(reply: JsonObject): Record<string, unknown>[] | undefined {
  const { content } = reply
  if (!isMessage(reply)) return undefined
  if (Array.isArray(content)) return objectsIn(content)
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return reply.type === 'message' ? [] : undefined
}

function throwNoContent(): never {
  throw new GatewayError('upstream_invalid_reply', "The upstream's reply has no content.")
}

/** Maps the names and ids of calls to those that the client reads. */
interface CallNames {
  nameOf(name: string): string
  idOf(block: unknown): string
}

function readBlock(block: Record<string, unknown>, names: CallNames): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return readText(block)
    case 'thinking':
      return readThinking(block)
    case 'redacted_thinking': {
      const signature = readSignatureText(stringAt(block, 'data') ?? '')
      return signature ? [{ type: 'reasoning', text: '', form: 'redacted', signature }] : []
    }
    case 'tool_use':
      checkArguments(block.input)
      return [
        {
          type: 'tool_call',
          id: names.idOf(block),
          name: names.nameOf(readToolName(block)),
          kind: 'function',
          arguments: argumentsTextOf(block.input),
        },
      ]
    default:
      return []
  }
}

/** Reads the tool name of a call; throws `upstream_invalid_reply` where it is absent. */
export function readToolName(block: unknown): string {
  const name = stringAt(block, 'name')
  if (name) return name
  throw new GatewayError(
    'upstream_invalid_reply',
    'The upstream sent a function call without a name.',
  )
}

function readText(block: Record<string, unknown>): AssistantPart[] {
  const text = stringAt(block, 'text') ?? ''
  if (text === '') return []
  const citations = readCitations(block.citations)
  return [{ type: 'text', text, ...(citations.length > 0 && { citations }) }]
}

function readThinking(block: Record<string, unknown>): AssistantPart[] {
  const thought = stringAt(block, 'thinking') ?? ''
  const signature = readSignatureText(stringAt(block, 'signature') ?? '')
  if (thought === '' && !signature) return []
  return [{ type: 'reasoning', text: thought, form: 'summary', ...(signature && { signature }) }]
}
