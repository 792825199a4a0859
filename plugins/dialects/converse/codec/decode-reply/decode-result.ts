import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { AssistantPart } from '../../../../../src/generate/content.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { isCall } from '../../../../../src/generate/match-results.ts'
import { ToolNames } from '../../../../../src/generate/names.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateResult } from '../../../../../src/generate/result.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'
import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import { errorUnless } from '../../../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectAt, objectsIn, stringAt } from '../../../../../src/lib/json/read.ts'
import { CallIds } from '../../../shared/blocks/call-ids.ts'
import { argumentsTextOf } from '../../../shared/blocks/tool-input.ts'
import { statusOfConverseError } from '../../errors.ts'
import { signatureOf } from '../signatures.ts'
import { failedEnd, readStop } from '../stop.ts'
import { readUsage } from '../usage.ts'
import { isServerTool, readCitation, readToolName } from './read-blocks.ts'

/** Decodes a complete reply. Blocks of an account's own tools are left out. */
export function decodeResult(
  reply: JsonObject,
  request: GenerateRequest,
): GenerateResult | ErrorEvent {
  const error = errorUnless(isReply, reply)
  if (error) return failureOf(error, statusOfConverseError(error))
  const message = messageIn(reply) ?? throwNoMessage()
  const names: CallNames = { tools: new ToolNames(request.tools), ids: new CallIds(request) }
  const content = objectsIn(message.content).flatMap((block) => readBlock(block, names))
  const failed = failedEnd(
    reply,
    content.some(({ type }) => type !== 'reasoning'),
  )
  if (failed) return failed
  // A prompt router names the model that it has chosen.
  const model = stringAt(objectAt(objectAt(reply, 'trace'), 'promptRouter'), 'invokedModelId')
  const serviceTier = stringAt(objectAt(reply, 'serviceTier'), 'type')
  return {
    ...(model !== undefined && { model }),
    choices: [{ content, stop: readStop(reply, request, content.some(isCall)) }],
    usage: readUsage(reply),
    ...(serviceTier !== undefined && { serviceTier }),
  }
}

function messageIn(reply: JsonObject): JsonObject | undefined {
  return objectAt(objectAt(reply, 'output'), 'message')
}

function isReply(reply: JsonObject): boolean {
  return messageIn(reply) !== undefined
}

function throwNoMessage(): never {
  throw new GatewayError('upstream_invalid_reply', "The upstream's reply has no message.")
}

/** Maps the names and ids of calls to those that the client reads. */
interface CallNames {
  readonly tools: ToolNames
  readonly ids: CallIds
}

/** Reads a block, which has one member. */
function readBlock(block: JsonObject, names: CallNames): AssistantPart[] {
  if (typeof block.text === 'string') return textPart(block.text)
  const { citationsContent, reasoningContent, toolUse, image } = block
  if (citationsContent) return readCited(citationsContent)
  if (reasoningContent) return readReasoning(reasoningContent)
  if (image) return readImage(image)
  if (!toolUse || isServerTool(toolUse)) return []
  const { input } = toolUse as JsonObject
  checkArguments(input)
  return [
    {
      type: 'tool_call',
      id: names.ids.next(stringAt(toolUse, 'toolUseId')),
      name: names.tools.original(readToolName(toolUse)),
      kind: 'function',
      arguments: argumentsTextOf(input),
    },
  ]
}

function textPart(text: string): AssistantPart[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function readCited(cited: unknown): AssistantPart[] {
  const { content, citations } = cited as JsonObject
  const text = objectsIn(content)
    .map((one) => stringAt(one, 'text') ?? '')
    .join('')
  if (text === '') return []
  const known = objectsIn(citations).flatMap((citation) => readCitation(citation) ?? [])
  return [{ type: 'text', text, ...(known.length > 0 && { citations: known }) }]
}

function readReasoning(reasoning: unknown): AssistantPart[] {
  const redacted = signatureOf((reasoning as JsonObject).redactedContent)
  if (redacted) return [{ type: 'reasoning', text: '', form: 'redacted', signature: redacted }]
  const thought = objectAt(reasoning, 'reasoningText')
  const text = stringAt(thought, 'text') ?? ''
  const signature = signatureOf(thought?.signature)
  if (text === '' && !signature) return []
  return [{ type: 'reasoning', text, form: 'summary', ...(signature && { signature }) }]
}

function readImage(image: unknown): AssistantPart[] {
  const base64 = stringAt(objectAt(image, 'source'), 'bytes')
  const format = stringAt(image, 'format')
  if (!base64 || !format) return []
  return [{ type: 'image', source: { kind: 'data', base64 }, mediaType: `image/${format}` }]
}
