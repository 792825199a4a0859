import type { GenerateRequest, Turn } from '../../src/generate/request.ts'
import type { AssistantPart, FilePart, ToolResult, UserPart } from '../../src/generate/content.ts'
import { textOfFile } from '../../src/generate/file-text.ts'
import type { Rules } from './rules.ts'

/** A part of a turn, or of a tool's result. */
type Part = AssistantPart | UserPart | ToolResult['content'][number]

/** The request without what rules mask. Throws `GatewayError` if one refuses a text of it. */
export function guardRequest(request: GenerateRequest, rules: Rules): GenerateRequest {
  const turns = mapChanged(request.turns, (turn) => guardTurn(turn, rules))
  const endUser = request.endUser && rules.apply(request.endUser)
  const metadata = guardMetadata(request.metadata, rules)
  const isSame =
    turns === request.turns && endUser === request.endUser && metadata === request.metadata
  if (isSame) return request
  return { ...request, turns, ...(endUser && { endUser }), ...(metadata && { metadata }) }
}

function guardMetadata(
  metadata: GenerateRequest['metadata'],
  rules: Rules,
): GenerateRequest['metadata'] {
  const entries = Object.entries(metadata ?? {})
  const guarded = entries.map(([name, text]) => [name, rules.apply(text)] as const)
  const hasChanged = guarded.some(([, text], index) => text !== entries[index]![1])
  return hasChanged ? Object.fromEntries(guarded) : metadata
}

function guardTurn(turn: Turn, rules: Rules): Turn {
  if (turn.role === 'tool') {
    const results = mapChanged(turn.results, (result) => {
      const content = mapChanged(result.content, (part) => guardPart(part, rules))
      return content === result.content ? result : { ...result, content }
    })
    return results === turn.results ? turn : { ...turn, results }
  }
  const content = mapChanged<Part>(turn.content, (part) => guardPart(part, rules))
  return content === turn.content ? turn : ({ ...turn, content } as Turn)
}

/** Signed reasoning stays: its signature is of its text. */
function guardPart<P extends Part>(part: P, rules: Rules): P
function guardPart(part: Part, rules: Rules): Part {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      const text = rules.apply(part.text)
      return text === part.text ? part : { ...part, text }
    }
    case 'tool_call': {
      const json = rules.applyToJson(part.arguments)
      return json === part.arguments ? part : { ...part, arguments: json }
    }
    case 'reasoning': {
      const text = part.signature ? part.text : rules.apply(part.text)
      return text === part.text ? part : { ...part, text }
    }
    case 'file':
      return guardFile(part, rules)
    default:
      return part
  }
}

function guardFile(part: FilePart, rules: Rules): FilePart {
  const source = guardSource(part, rules)
  const [title, context] = [part.title, part.context].map((text) => text && rules.apply(text))
  if (source === part.source && title === part.title && context === part.context) return part
  return { ...part, source, ...(title && { title }), ...(context && { context }) }
}

function guardSource(part: FilePart, rules: Rules): FilePart['source'] {
  const text = textOfFile(part)
  const guarded = text && rules.apply(text)
  if (guarded === undefined || guarded === text) return part.source
  if (part.source.kind === 'text') return { kind: 'text', text: guarded }
  return { kind: 'data', base64: Buffer.from(guarded).toString('base64') }
}

/** Returns the same list if `change` returns each item as it is. */
function mapChanged<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change)
  return changed.some((item, index) => item !== items[index]) ? changed : items
}

/**
 * The texts that are new in a request: those behind the last turn of the model. A turn of the model at the end is a
 * beginning of its answer that the client writes.
 */
export function newTexts({ turns }: GenerateRequest): string {
  const end = turns.findLastIndex(({ role }) => role !== 'assistant') + 1
  const from = turns.slice(0, end).findLastIndex(({ role }) => role === 'assistant') + 1
  return turns.slice(from).flatMap(textsOf).join('\n')
}

function textsOf(turn: Turn): string[] {
  const parts: readonly Part[] =
    turn.role === 'tool' ? turn.results.flatMap(({ content }) => content) : turn.content
  return parts.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    if (part.type !== 'file') return []
    return [part.title, part.context, textOfFile(part)].filter((text) => text !== undefined)
  })
}
