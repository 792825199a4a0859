import { quoted } from './failures.ts'

/** What an answer lacks, by the member of its `extensions`. */
const meanings = {
  unanswered: (names: string) => `These processes do not answer; their part is missing: ${names}.`,
  incomplete: (names: string) =>
    `These processes keep calls from accounts for more causes than they say, or from more accounts, of which some look enabled: ${names}.`,
  stale: (names: string) => `The store does not answer. This is what was known last: ${names}.`,
  unrecorded: (names: string) => `The audit log lacks the result of: ${names}.`,
}

/** Says on lines of their own what the answers to one command lack, each once. */
export function lackSayer(say: (line: string) => void): (extensions: unknown) => void {
  const said = new Set<string>()
  return (extensions) => {
    for (const [kind, meaning] of Object.entries(meanings)) {
      const names: unknown = Object(extensions)[kind]
      if (!Array.isArray(names) || names.length === 0) continue
      const line = meaning(quoted(names.map(String).toSorted().join(', ')))
      if (!said.has(line)) say(line)
      said.add(line)
    }
  }
}
