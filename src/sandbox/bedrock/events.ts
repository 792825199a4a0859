import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts'
import type { TextResult } from '../text/result.ts'
import { deltasOf } from '../text/words.ts'
import type { Frame } from '../wire/frame.ts'
import { renderMetadata, renderStop } from './reply.ts'

/** Renders a reply as a stream. The usage follows the end of the message. */
export function renderConverseEvents(
  body: JsonObject,
  reply: JsonObject,
  answer: TextResult,
): Frame[] {
  const message = objectOf(objectOf(reply['output'])['message'])
  const frames: Frame[] = [
    { name: 'messageStart', data: { role: 'assistant' } },
    ...objectsOf(message['content']).flatMap((block, index) =>
      framesOfBlock(block, index, answer.inOnePiece),
    ),
    { name: 'messageStop', data: renderStop(body, answer) },
    { name: 'metadata', data: renderMetadata(answer) },
  ]
  return frames.map(({ name, data }, index) => ({ name: name!, data: padded(data, index) }))
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Bedrock hides the lengths of texts by a member of any length. */
export function padded(data: object | string, index: number): object {
  return { ...(data as object), p: letters.slice(0, 1 + ((index * 7) % letters.length)) }
}

// Only a tool use has an event for its start.
function framesOfBlock(block: JsonObject, contentBlockIndex: number, inOnePiece: boolean): Frame[] {
  const { toolUse } = block
  const { toolUseId, name } = objectOf(toolUse)
  const start = { contentBlockIndex, start: { toolUse: { toolUseId, name } } }
  return [
    ...(toolUse ? [{ name: 'contentBlockStart', data: start }] : []),
    ...deltasOfBlock(block, inOnePiece).map((delta) => ({
      name: 'contentBlockDelta',
      data: { contentBlockIndex, delta },
    })),
    { name: 'contentBlockStop', data: { contentBlockIndex } },
  ]
}

function deltasOfBlock(block: JsonObject, inOnePiece: boolean): JsonObject[] {
  const { text, toolUse, reasoningContent } = block
  if (text) return deltasOf(textOf(text), inOnePiece).map((piece) => ({ text: piece }))
  if (toolUse) {
    const pieces = ['', ...deltasOf(JSON.stringify(objectOf(toolUse)['input']))]
    return pieces.map((input) => ({ toolUse: { input } }))
  }
  const { text: thought, signature } = objectOf(objectOf(reasoningContent)['reasoningText'])
  const thoughts = deltasOf(textOf(thought)).map((piece) => ({ reasoningContent: { text: piece } }))
  return [...thoughts, { reasoningContent: { signature } }]
}
