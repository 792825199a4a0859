import { defined } from '../../lib/json/object.ts'
import { nearest } from '../../lib/nearest.ts'
import { type CommandOptions, type Invocation, UsageError } from '../command.ts'
import { requireRemote } from '../remote/address.ts'
import { adminClientOf } from '../remote/client.ts'
import { shutdownSignal } from '../signals.ts'
import { describeEvent } from './describe.ts'
import { follow } from './follow.ts'

/** `dragoman tail --url URL`: prints one line for each event, until Ctrl-C. A slow reader slows it down. */
export async function run(invocation: Invocation): Promise<number> {
  requireRemote(invocation, 'tail')
  const { terminal, options } = invocation
  const variables = variablesOf(options)
  const client = adminClientOf(invocation)
  const stop = new AbortController()
  void shutdownSignal().then(() => stop.abort())
  const events = follow(client, { variables, signal: stop.signal, say: terminal.say })
  for await (const event of events) {
    const line =
      options['json'] === undefined ? describeEvent(event, Date.now()) : JSON.stringify(event)
    await terminal.print(`${line}\n`)
  }
  return 0
}

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
