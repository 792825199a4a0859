import type { AssistantPart, FilePart, ToolResult, UserPart } from './content.ts'
import { textOfFile } from './file-text.ts'
import { mapJsonTexts } from './json-texts.ts'
import type { GenerateRequest, Turn } from './request.ts'

/** A part of a turn, or of a tool's result. */
type Part = AssistantPart | UserPart | ToolResult['content'][number]

type Change = (text: string) => string

/**
 * Changes the texts of a request's content: those of turns, with results and arguments of tools (JSON stays JSON),
 * files of text (in base64 too), their titles and contexts, and the values of `metadata` and `endUser`. Signed
 * reasoning stays, because its signature is of its text; so do names of files, `tools`, `output`, `stop` and
 * `extras`. Returns the same request if `change` returns each text as it is.
 */
export function mapTexts(request: GenerateRequest, change: Change): GenerateRequest {
  const turns = mapChanged(request.turns, (turn) => mapTurn(turn, change))
  const endUser = mapOptional(request.endUser, change)
  const metadata = mapMetadata(request.metadata, change)
  const isSame =
    turns === request.turns && endUser === request.endUser && metadata === request.metadata
  if (isSame) return request
  return {
    ...request,
    turns,
    ...(endUser !== undefined && { endUser }),
    ...(metadata && { metadata }),
  }
}

function mapOptional(text: string | undefined, change: Change): string | undefined {
  return text === undefined ? undefined : change(text)
}

function mapMetadata(
  metadata: GenerateRequest['metadata'],
  change: Change,
): GenerateRequest['metadata'] {
  const entries = Object.entries(metadata ?? {})
  const mapped = entries.map(([name, text]) => [name, change(text)] as const)
  const hasChanged = mapped.some(([, text], index) => text !== entries[index]![1])
  return hasChanged ? Object.fromEntries(mapped) : metadata
}

function mapTurn(turn: Turn, change: Change): Turn {
  if (turn.role === 'tool') {
    const results = mapChanged(turn.results, (result) => {
      const content = mapChanged(result.content, (part) => mapPart(part, change))
      return content === result.content ? result : { ...result, content }
    })
    return results === turn.results ? turn : { ...turn, results }
  }
  const content = mapChanged<Part>(turn.content, (part) => mapPart(part, change))
  return content === turn.content ? turn : ({ ...turn, content } as Turn)
}

function mapPart<P extends Part>(part: P, change: Change): P
function mapPart(part: Part, change: Change): Part {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      const text = change(part.text)
      return text === part.text ? part : { ...part, text }
    }
    case 'tool_call': {
      const changed = mapJsonTexts(part.arguments, change)
      return changed === part.arguments ? part : { ...part, arguments: changed }
    }
    case 'reasoning': {
      const text = part.signature ? part.text : change(part.text)
      return text === part.text ? part : { ...part, text }
    }
    case 'file':
      return mapFile(part, change)
    default:
      return part
  }
}

function mapFile(part: FilePart, change: Change): FilePart {
  const source = mapSource(part, change)
  const [title, context] = [part.title, part.context].map((text) => mapOptional(text, change))
  if (source === part.source && title === part.title && context === part.context) return part
  return {
    ...part,
    source,
    ...(title !== undefined && { title }),
    ...(context !== undefined && { context }),
  }
}

function mapSource(part: FilePart, change: Change): FilePart['source'] {
  const text = textOfFile(part)
  const changed = mapOptional(text, change)
  if (changed === undefined || changed === text) return part.source
  if (part.source.kind === 'text') return { kind: 'text', text: changed }
  return { kind: 'data', base64: Buffer.from(changed).toString('base64') }
}

/** Returns the same list if `change` returns each item as it is. */
function mapChanged<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change)
  return changed.some((item, index) => item !== items[index]) ? changed : items
}
