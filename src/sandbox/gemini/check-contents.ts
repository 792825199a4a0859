import type { Account } from '../accounts.ts'
import { type JsonObject, objectsOf, textOf } from '../json.ts'
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
    const answers = count(parts, 'functionResponse')
    const calls = count(objectsOf(contents[index - 1]?.['parts']), 'functionCall')
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
    const first = objectsOf(parts).find((part) => part['functionCall'] !== undefined)
    if (index > lastUser && first && textOf(first['thoughtSignature']) === '')
      throw ruleFault(
        ['contents', index],
        'Function call is missing a thought_signature in functionCall parts. This is required for ' +
          'tools to work correctly, and missing thought_signature may lead to degraded model ' +
          'performance.',
      )
  })
}

function checkSignature({ thoughtSignature }: JsonObject, account: Account): void {
  const signature = textOf(thoughtSignature)
  if (signature === '' || knownPlaceholders.includes(signature)) return
  if (!account.verify('thought', signature))
    throw ruleFault(['contents'], 'Thought signature is not valid.')
}

function count(parts: JsonObject[], kind: string): number {
  return parts.filter((part) => part[kind] !== undefined).length
}
