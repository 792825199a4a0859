import { append } from '../../../../../src/lib/append.ts'
import type { AssistantPart, ToolResult, UserPart } from '../../../../../src/generate/content.ts'
import { booleanMember, checkDepth, readObject } from '../../../../../src/kit/codec/read.ts'
import { readCitations } from '../citations.ts'
import { type ContentPart, readDocument, readImage, readSearchResult } from './decode-media.ts'
import { noteBlock } from './members.ts'
import {
  type Block,
  type MessageNotes,
  readBlocks,
  readCacheMark,
  readNameMember,
  readTextMember,
} from './read.ts'
import { readSignatureText, reattachSignatures } from '../signatures.ts'
import { argumentsTextOf } from '../../../shared/blocks/tool-input.ts'

const unknownBlock = 'only the Messages API supports this block'

/** The content of a user message: tool results, and the parts after them. */
interface UserBlocks {
  readonly results: readonly ToolResult[]
  readonly parts: readonly UserPart[]
}

/** Reads the content of a user message. */
export function readUserBlocks(content: unknown, path: string, notes: MessageNotes): UserBlocks {
  const results: ToolResult[] = []
  const parts: UserPart[] = []
  for (const block of readBlocks(content, path)) {
    noteBlock(block, notes)
    if (block.type === 'tool_result') results.push(readResult(block, notes))
    else append(parts, readContentBlock(block, notes))
  }
  return { results, parts }
}

/** Reads a block that both user messages and tool results may have: text, image, document. */
function readContentBlock(block: Block, notes: MessageNotes): ContentPart[] {
  switch (block.type) {
    case 'text':
      return readPlainText(block, notes)
    case 'image':
      return readImage(block, notes)
    case 'document':
      return readDocument(block, notes)
    case 'search_result':
      return [readSearchResult(block, notes)]
    default:
      notes.native(block.path, unknownBlock)
      return []
  }
}

function readPlainText({ json, path }: Block, notes: MessageNotes): ContentPart[] {
  const text = readTextMember(json, 'text', path)
  return text === '' ? [] : [{ type: 'text', text, ...readCacheMark(json, path, notes) }]
}

function readResult({ json, path }: Block, notes: MessageNotes): ToolResult {
  const content = readBlocks(json.content ?? [], `${path}.content`).flatMap((block) => {
    noteBlock(block, notes)
    return readContentBlock(block, notes)
  })
  if (content.some(({ type }) => type !== 'text')) notes.uses('tool_result_media', path)
  const failed = booleanMember(json, 'is_error', path) === true
  if (failed) notes.uses('tool_result_failed', `${path}.is_error`)
  const result: ToolResult = {
    callId: readNameMember(json, 'tool_use_id', path),
    content,
    ...(failed && { failed }),
    ...readCacheMark(json, path, notes),
  }
  notes.results.set(result, path)
  return result
}

/** Reads the content of an assistant message. */
export function readAssistantBlocks(
  content: unknown,
  path: string,
  notes: MessageNotes,
): readonly AssistantPart[] {
  return reattachSignatures(
    readBlocks(content, path).flatMap((block) => {
      noteBlock(block, notes)
      return readAssistantBlock(block, notes)
    }),
  )
}

function readAssistantBlock(block: Block, notes: MessageNotes): AssistantPart[] {
  const { type, json, path } = block
  switch (type) {
    case 'text':
      return readAssistantText(block)
    case 'thinking':
    case 'redacted_thinking':
      notes.uses('reasoning_history', path)
      return type === 'thinking' ? readThinking(block) : readRedacted(block)
    case 'tool_use':
      checkDepth(json.input, `${path}.input`)
      return [
        {
          type: 'tool_call',
          id: readNameMember(json, 'id', path),
          name: readNameMember(json, 'name', path),
          kind: 'function',
          arguments: argumentsTextOf(readObject(json.input ?? {}, `${path}.input`)),
        },
      ]
    default:
      notes.native(path, unknownBlock)
      return []
  }
}

function readAssistantText({ json, path }: Block): AssistantPart[] {
  const text = readTextMember(json, 'text', path)
  if (text === '') return []
  const citations = readCitations(json.citations)
  return [{ type: 'text', text, ...(citations.length > 0 && { citations }) }]
}

function readThinking({ json, path }: Block): AssistantPart[] {
  const text = readTextMember(json, 'thinking', path)
  const signature = readSignatureText(readTextMember({ signature: '', ...json }, 'signature', path))
  if (text === '' && signature === undefined) return []
  return [{ type: 'reasoning', text, form: 'summary', ...(signature && { signature }) }]
}

function readRedacted({ json, path }: Block): AssistantPart[] {
  const signature = readSignatureText(readTextMember(json, 'data', path))
  return signature ? [{ type: 'reasoning', text: '', form: 'redacted', signature }] : []
}
