import type { Account } from '../accounts.ts'
import { type JsonObject, isGiven, objectOf, objectsOf, textOf } from '../json.ts'
import { ruleFault } from '../fault.ts'

// Texts that Google accepts in place of a lost signature, in plain and in base64.
const placeholders = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']
const knownPlaceholders = placeholders.flatMap((text) => [
  text,
  Buffer.from(text).toString('base64'),
])

/** Throws unless function responses answer function calls and signatures are of this account. */
export function checkContents(contents: JsonObject[], account: Account): void {
  contents.forEach((content, index) => {
    const parts = objectsOf(content['parts'])
    for (const part of parts) checkSignature(part, account)
    const before = partsBefore(contents, index)
    checkPieces(before, parts, index)
    if (content['role'] === 'model') return
    const answers = count(parts, 'functionResponse')
    const calls = before.filter((part) => textOf(callIn(part)['name']) !== '').length
    if (answers !== calls && (answers > 0 || calls > 0))
      throw ruleFault(
        ['contents', index],
        'Please ensure that the number of function response parts is equal to the number of ' +
          'function call parts of the function call turn.',
      )
  })
}

/** Throws unless the first call of every step since the last user message is signed. */
export function checkCallsSigned(contents: JsonObject[]): void {
  const lastUser = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && count(objectsOf(parts), 'functionResponse') === 0,
  )
  contents.forEach(({ parts }, index) => {
    const first = objectsOf(parts).find(isCall)
    if (index > lastUser && first && textOf(first['thoughtSignature']) === '')
      throw ruleFault(
        ['contents', index],
        'Function call is missing a thought_signature in functionCall parts. This is required for ' +
          'tools to work correctly, and missing thought_signature may lead to degraded model ' +
          'performance.',
      )
  })
}

/** The parts of the turn of the model before a content. A turn may span several contents. */
function partsBefore(contents: JsonObject[], index: number): JsonObject[] {
  const start = contents.findLastIndex(({ role }, at) => at < index && role !== 'model')
  return contents.slice(start + 1, index).flatMap(({ parts }) => objectsOf(parts))
}

/** Throws for a call without a name that continues none. */
function checkPieces(before: JsonObject[], parts: JsonObject[], index: number): void {
  let isOpen = callIn(before.findLast(isCall))['willContinue'] === true
  for (const call of parts.filter(isCall).map(callIn)) {
    if (!isOpen && textOf(call['name']) === '')
      throw ruleFault(['contents', index], 'Function call must have a name.')
    isOpen = call['willContinue'] === true
  }
}

function isCall(part: JsonObject): boolean {
  return isGiven(part['functionCall'])
}

function callIn(part: JsonObject | undefined): JsonObject {
  return objectOf(part?.['functionCall'])
}

function checkSignature({ thoughtSignature }: JsonObject, account: Account): void {
  const signature = textOf(thoughtSignature)
  if (signature === '' || knownPlaceholders.includes(signature)) return
  if (!account.verify('thought', signature))
    throw ruleFault(['contents'], 'Thought signature is not valid.')
}

function count(parts: JsonObject[], kind: string): number {
  return parts.filter((part) => isGiven(part[kind])).length
}
