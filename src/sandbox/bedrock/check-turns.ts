import type { Account } from '../accounts.ts'
import { ruleFault } from '../fault.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts'

/** Throws unless roles alternate, results answer tool uses, and reasoning is this account's. */
export function checkTurns(messages: JsonObject[], account: Account): void {
  const names: string[] = []
  messages.forEach(({ role, content }, index) => {
    const path = ['messages', index, 'content']
    if (role !== (index % 2 === 0 ? 'user' : 'assistant'))
      throw ruleFault(
        ['messages', index],
        index === 0
          ? 'A conversation must start with a user message'
          : 'A conversation must alternate between user and assistant roles',
      )
    const blocks = objectsOf(content)
    checkMisplaced(blocks, textOf(role), path)
    for (const block of blocks) checkReasoning(block, account, path)
    const documents = namesOf(blocks)
    if (documents.length > 0 && !blocks.some((block) => 'text' in block))
      throw ruleFault(path, 'A message with a document must have a text block')
    names.push(...documents)
    checkResults(blocks, objectsOf(messages[index - 1]?.['content']), path)
    if (messages[index + 1])
      checkAnswered(blocks, objectsOf(messages[index + 1]?.['content']), path)
  })
  if (new Set(names).size < names.length)
    throw ruleFault(['messages'], 'Messages contain duplicate document names')
}

const onlyFromUsers = ['image', 'document', 'video', 'audio', 'toolResult', 'searchResult']
const onlyFromAssistants = ['toolUse', 'reasoningContent', 'citationsContent']

type Path = (string | number)[]

function checkMisplaced(blocks: JsonObject[], role: string, path: Path): void {
  const misplaced = role === 'assistant' ? onlyFromUsers : onlyFromAssistants
  const found = blocks.flatMap((block) => Object.keys(block)).find((key) => misplaced.includes(key))
  if (found) throw ruleFault(path, `${found} blocks are not allowed in messages of role ${role}`)
  if (role === 'assistant' && 'reasoningContent' in (blocks.at(-1) ?? {}))
    throw ruleFault(path, 'The final block in an assistant message cannot be `thinking`')
}

function checkReasoning({ reasoningContent }: JsonObject, account: Account, path: Path): void {
  const { reasoningText, redactedContent } = objectOf(reasoningContent)
  const { text, signature } = objectOf(reasoningText)
  const isForeign =
    (signature !== undefined && !account.verify(textOf(text), textOf(signature))) ||
    (redactedContent !== undefined && !account.verify('redacted', textOf(redactedContent)))
  if (isForeign) throw ruleFault(path, 'Invalid `signature` in `thinking` block')
}

function namesOf(blocks: JsonObject[]): string[] {
  return blocks.flatMap(({ document }) => textOf(objectOf(document)['name']) || [])
}

function checkResults(blocks: JsonObject[], before: JsonObject[], path: Path): void {
  const uses = idsOf(before, 'toolUse')
  const results = idsOf(blocks, 'toolResult')
  if (new Set(results).size < results.length)
    throw ruleFault(path, 'Each tool use must have one toolResult block')
  if (results.some((id) => !uses.includes(id)))
    throw ruleFault(
      path,
      'The number of toolResult blocks exceeds the number of toolUse blocks of previous turn',
    )
}

function checkAnswered(blocks: JsonObject[], after: JsonObject[], path: Path): void {
  const answered = idsOf(after, 'toolResult')
  const open = idsOf(blocks, 'toolUse').filter((id) => !answered.includes(id))
  if (open.length > 0)
    throw ruleFault(path, `Expected toolResult blocks for the following Ids: ${open.join(', ')}`)
}

function idsOf(blocks: JsonObject[], kind: string): string[] {
  return blocks.flatMap((block) => textOf(objectOf(block[kind])['toolUseId']) || [])
}
