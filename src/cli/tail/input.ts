import { nearest } from '../../lib/nearest.ts'
import { defined } from '../../lib/json/object.ts'
import { type CommandOptions, UsageError } from '../command.ts'

/** The topics that `--topics` takes. */
const topics = [
  'exchanges',
  'accounts',
  'circuits',
  'jobs',
  'configuration',
  'audit',
  'pulse',
] as const

type Topic = (typeof topics)[number]

/** The arguments of a command, as the variables of the subscription. Throws `UsageError`. */
export function variablesOf(options: CommandOptions): {
  readonly topics: readonly string[]
  readonly filter: object
} {
  const { key: keyId, account: accountId, model, dialect } = options
  const filter = defined({ keyId, accountId, model, dialect })
  const wanted = options['topics'] === undefined ? usual(filter) : parseTopics(options['topics'])
  return { topics: wanted.map((topic) => topic.toUpperCase()), filter }
}

/** The filters that apply to the events of a topic. The other topics pass it whole. */
const selectable: Partial<Record<Topic, readonly string[]>> = {
  exchanges: ['keyId', 'accountId', 'model', 'dialect'],
  accounts: ['accountId'],
  circuits: ['accountId', 'dialect'],
  jobs: ['keyId', 'accountId'],
}

/** Without a filter, all but the samples of the pulse. With one, the topics whose events it can select. */
function usual(filter: ReturnType<typeof variablesOf>['filter']): readonly Topic[] {
  const names = Object.keys(filter)
  if (names.length === 0) return topics.filter((topic) => topic !== 'pulse')
  return topics.filter((topic) => names.every((name) => selectable[topic]?.includes(name)))
}

function parseTopics(text: string): readonly Topic[] {
  return text.split(',').map((word) => {
    const name = word.trim().toLowerCase()
    const topic = topics.find((one) => one === name)
    if (topic) return topic
    const meant = nearest(name, topics)
    const hint = meant ? `Did you mean \`${meant}\`?` : `Topics: ${topics.join(', ')}.`
    throw new UsageError(`Unknown topic "${word.trim()}". ${hint}`)
  })
}
