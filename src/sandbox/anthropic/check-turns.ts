import type { Account } from '../accounts.ts'
import { type JsonObject, objectsOf, textOf } from '../json.ts'
import { ruleFault } from '../fault.ts'

type Turn = { role: string; blocks: JsonObject[]; index: number }

/** Throws unless tool results answer tool uses and thinking blocks come from this account. */
export function checkTurns(messages: JsonObject[], version: string, account: Account): void {
  messages.forEach((message, index) => checkBlocks(message, index, version, account))
  const turns = mergedTurns(messages)
  turns.forEach((turn, position) => {
    checkResults(turn, turns[position - 1])
    if (turn.role === 'assistant') checkAnswered(turn, turns[position + 1])
  })
}

function checkBlocks(
  { role, content }: JsonObject,
  index: number,
  version: string,
  account: Account,
): void {
  if (role === 'user' && content === '')
    throw ruleFault(['messages', index], 'user messages must have non-empty content')
  objectsOf(content).forEach((block, position) => {
    const path = ['messages', index, 'content', position]
    const { type } = block
    const misplaced = role === 'assistant' ? onlyFromUsers : onlyFromAssistants
    if (misplaced.includes(textOf(type)) && !(type === 'document' && version < '2026-10-21'))
      throw ruleFault(path, `${textOf(type)} blocks are not allowed in ${textOf(role)} messages`)
    if (
      type === 'thinking' &&
      !account.verify(textOf(block['thinking']), textOf(block['signature']))
    )
      throw ruleFault(path, 'Invalid `signature` in `thinking` block')
    if (type === 'redacted_thinking' && !account.verify('redacted', textOf(block['data'])))
      throw ruleFault(path, 'Invalid `data` in `redacted_thinking` block')
  })
}

const onlyFromUsers = ['image', 'document', 'search_result', 'tool_result']
const onlyFromAssistants = ['tool_use', 'thinking', 'redacted_thinking', 'server_tool_use']

/** Throws unless the assistant turn before the last tool results starts with a thinking block. */
export function checkThinkingFirst(messages: JsonObject[]): void {
  const turns = mergedTurns(messages)
  const [answer, results] = turns.slice(-2)
  if (!answer || !results?.blocks.some(({ type }) => type === 'tool_result')) return
  const type = textOf(answer.blocks[0]?.['type'])
  if (type !== 'thinking' && type !== 'redacted_thinking')
    throw ruleFault(
      ['messages', answer.index, 'content', 0, 'type'],
      `Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is ` +
        'enabled, a final `assistant` message must start with a thinking block (preceding the ' +
        'lastmost set of `tool_use` and `tool_result` blocks).',
    )
}

// Anthropic reads consecutive messages of the same role as one turn.
function mergedTurns(messages: JsonObject[]): Turn[] {
  const turns: Turn[] = []
  messages.forEach(({ role, content }, index) => {
    const last = turns.at(-1)
    const blocks =
      typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
    if (last && last.role === role) last.blocks.push(...blocks)
    else turns.push({ role: textOf(role), blocks: [...blocks], index })
  })
  return turns.filter(({ role }) => role !== 'system')
}

function checkResults(turn: Turn, before: Turn | undefined): void {
  const uses = before?.role === 'assistant' ? idsOf(before, 'tool_use', 'id') : []
  const stray = idsOf(turn, 'tool_result', 'tool_use_id').find((id) => !uses.includes(id))
  if (stray !== undefined)
    throw ruleFault(
      ['messages', turn.index],
      `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` ` +
        'block must have a corresponding `tool_use` block in the previous message.',
    )
}

// The results must stand at the start of the next turn, before any text.
function checkAnswered(turn: Turn, after: Turn | undefined): void {
  const blocks = after?.blocks ?? []
  const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result')
  const leading = firstOther < 0 ? blocks : blocks.slice(0, firstOther)
  const answered = leading.map((block) => block['tool_use_id'])
  const open = idsOf(turn, 'tool_use', 'id').filter((id) => !answered.includes(id))
  if (open.length > 0)
    throw ruleFault(
      ['messages', turn.index],
      '`tool_use` ids were found without `tool_result` blocks immediately after: ' +
        `${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` ` +
        'block in the next message.',
    )
}

function idsOf(turn: Turn, type: string, key: string): string[] {
  return turn.blocks.filter((block) => block['type'] === type).map((block) => textOf(block[key]))
}
