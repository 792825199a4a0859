import type { Block, MessageNotes } from './read.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

/** Known members of blocks by type: members that the codec reads, and members of replies. */
const blocks = new TextMap<ReadonlySet<string>>([
  ['text', new Set(['type', 'text', 'citations'])],
  ['image', new Set(['type', 'source', 'transformations'])],
  ['document', new Set(['type', 'source', 'title', 'context', 'citations'])],
  ['search_result', new Set(['type', 'source', 'title', 'content', 'citations'])],
  ['tool_result', new Set(['type', 'tool_use_id', 'content', 'is_error'])],
  ['tool_use', new Set(['type', 'id', 'name', 'input', 'caller'])],
  ['thinking', new Set(['type', 'thinking', 'signature'])],
  ['redacted_thinking', new Set(['type', 'data'])],
])

const blockHints = new Set(['cache_control'])

/** Notes the unknown members of a block as losses. */
export function noteBlock({ type, json, path }: Block, notes: MessageNotes): void {
  const known = blocks.get(type)
  if (known) notes.rest(json, path, known, blockHints)
}

const none: ReadonlySet<string> = new Set()

/** Known members of other objects. Clients may send a complete reply back as a message. */
const kinds = {
  message: new Set([
    'role',
    'content',
    'id',
    'type',
    'model',
    'stop_reason',
    'stop_sequence',
    'stop_details',
    'usage',
    'container',
    'context_management',
    'diagnostics',
  ]),
  source: new Set(['type', 'data', 'media_type', 'url', 'file_id', 'content']),
  documentCitations: new Set(['enabled']),
  thinking: new Set(['type', 'budget_tokens', 'display']),
  toolChoice: new Set(['type', 'name', 'disable_parallel_tool_use']),
  format: new Set(['type', 'schema']),
  metadata: new Set(['user_id']),
} as const satisfies Record<string, ReadonlySet<string>>

/** Notes the unknown members of an object of this kind as losses. */
export function noteMembers(
  kind: keyof typeof kinds,
  json: Readonly<Record<string, unknown>>,
  path: string,
  notes: MessageNotes,
): void {
  notes.rest(json, path, kinds[kind], none)
}
