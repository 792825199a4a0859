import { checksOf } from '../mutation.ts'

const heartbeats = ['test/admin/heartbeats.test.ts']
const coolDowns = ['test/admin/many-cool-downs.test.ts']
const commands = ['test/admin/commands.test.ts']
const hub = ['test/admin/hub.test.ts']
const limits = ['test/admin/live-limits.test.ts']
const topics = ['test/admin/live-topics.test.ts']
const calls = ['test/admin/account-calls.test.ts']
const recent = ['test/admin/recent.test.ts']
const acts = ['test/admin/process-acts.test.ts']
const keptOut = ['test/admin/kept-out.test.ts']
const messages = ['test/cli/worker-messages.test.ts']
const workers = ['test/cli/workers.test.ts']

/** What processes read of each other, and what subscribers get, within limits. */
export const processLimitChecks = [
  ...checksOf('kept', 'src/admin/processes/values.ts', heartbeats, {
    'heartbeat: numbers fit the answers of GraphQL': [
      'const smallCount = count.max(2 ** 31 - 1)',
      'const smallCount = count',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/record.ts', heartbeats, {
    'heartbeat: lists of another version are cut off': [
      'Array.isArray(value) ? value.slice(0, most) : value',
      'Array.isArray(value) && value.length > most ? 0 : value',
    ],
    'heartbeat: an unknown kind is another': [".catch('other')", ''],
    'heartbeat: unreadable records are named': ['else unreadable.push(bounded(entry.id))', ''],
    'heartbeat: a bounded part is read': [
      'examined < mostProcesses; examined',
      'examined < 1e9; examined',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/heartbeat.ts', heartbeats, {
    'heartbeat: unreadable records make a view incomplete': [
      'isComplete: unreadable.length === 0 && !isCut',
      'isComplete: !isCut',
    ],
    'heartbeat: a list that is cut makes a view incomplete': [
      'isComplete: unreadable.length === 0 && !isCut',
      'isComplete: true',
    ],
    'heartbeat: a record that no longer changes is stale': [
      'isStale: readAt - changedAt > processTtlMs',
      'isStale: false',
    ],
    'heartbeat: pulses are shown in own time': [
      'record: inOwnTime(record, now()), writtenAt',
      'record, writtenAt',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/describe.ts', heartbeats, {
    'heartbeat: accounts are small': ['if (size > longestAccounts) break', ''],
    'heartbeat: accounts that are left out are counted': [
      'moreAccounts: total - accounts.length',
      'moreAccounts: 0',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/exclusions.ts', coolDowns, {
    'heartbeat: the gravest exclusions have room': [
      'if (own <= kept[mostExclusions - 1]!.gravity) return',
      'return',
    ],
    'heartbeat: exclusions that are left out are counted': [
      'moreExclusions: this.#count - exclusions.length',
      'moreExclusions: 0',
    ],
    'live: a circuit behind others is open': [
      "if (kind === 'circuit') this",
      "if (kind === 'circuit' && this.#count <= mostExclusions) this",
    ],
  }),
  ...checksOf('kept', 'src/admin/schema/explain.ts', coolDowns, {
    'explain: causes that a record has no room for are a lack': [
      'for (const id of cutListsIn(view, processes.id, account.id)) incomplete.add(id)',
      '',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/exclusions.ts', heartbeats, {
    'heartbeat: many accounts are looked at in turns': ['      yield\n', ''],
    'heartbeat: a plugin is asked about few accounts at once': [
      'const accountsAtOnce = 8',
      'const accountsAtOnce = 10_000',
    ],
    'heartbeat: accounts of another step are left out': ['if (!asked.has(account)) continue', ''],
    'heartbeat: of equal exclusions the first are kept': ['own <= kept', 'own < kept'],
  }),
  ...checksOf('kept', 'src/admin/accounts/state.ts', heartbeats, {
    'heartbeat: the circuit of a key is graver than models': [
      'model === undefined ? 2 : 0',
      'model === undefined ? 0 : 2',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/everywhere.ts', heartbeats, {
    'heartbeat: an earlier version cuts exclusions off': [
      'moreExclusions ?? (exclusions.length < mostExclusions ? 0 : 1)',
      'moreExclusions ?? 0',
    ],
  }),
  ...checksOf('kept', 'src/admin/schema/accounts.ts', coolDowns, {
    'heartbeat: cut lists are told': ['for (const id of cutLists) context.incomplete.add(id)', ''],
  }),
  ...checksOf('kept', 'src/admin/processes/acts.ts', heartbeats, {
    'reload: needs the records of all processes': [
      'if (isReachable && !isComplete) {',
      'if (isReachable && isComplete === undefined) {',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/commands.ts', commands, {
    'command: a look reads few answers': ['.slice(0, mostLooked)', ''],
    'command: silent processes hide no answer': ['else missing.add(processId)', ''],
    'command: a question leaves the store': [
      'if (isQuestion) deleting.push(',
      'if (false) deleting.push(',
    ],
    'command: answers leave the store': [
      'answers.delete(answerId(id, processId)))',
      'Promise.resolve(true))',
    ],
    'command: a deadline ends the wait': ['if (performance.now() > end) break', ''],
    'command: defects stay in the log': [
      "message: 'It failed; the log of the process says why.'",
      'message: String(error)',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/command-records.ts', commands, {
    'command: a clock that is behind is no obstacle': [
      'if (at > last && at < now() + furthestAheadMs) last = at',
      '',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/accounts.ts', calls, {
    'account: readmissions are shown to others at once': ['if (ended > 0) await beat()', ''],
    'account: calls end in all processes': ["handle('endCalls'", "handle('endNothing'"],
  }),
  ...checksOf('kept', 'src/admin/accounts/standing.ts', calls, {
    'account: its state is that of all processes': [
      'const others = accountIn(all, id)',
      'const others = accountIn(all, id).slice(0, 0)',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/exchanges.ts', recent, {
    'recent: names of models keep no body in memory': [
      'const copy = Buffer.from(text.slice(0, longest)).toString()',
      'const copy = text.slice(0, longest)',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/gather.ts', recent, {
    'recent: pages skip no exchange': [
      '    .toSorted(newestFirst)\n    .slice(0, limit)',
      '    .slice(0, limit)',
    ],
  }),
  ...checksOf('kept', 'src/admin/live/hub.ts', hub, {
    'live: subscribers of a process are bounded': [
      'subscribers.size >= mostSubscribers',
      'subscribers.size >= 1e6',
    ],
    'live: without subscribers no event is read': [
      'if (subscribers.size === 0 && isEventMessage(text)) return',
      '',
    ],
    'live: a new subscriber has lost nothing': ['if (subscribers.size === 0) senders.clear()', ''],
    'live: numbers of left out events are counted': [
      "'event' in message || 'leftOut' in message",
      "'event' in message",
    ],
    'live: watches change only with the subscribers': ['if (hasChanged) onWanted', 'onWanted'],
  }),
  ...checksOf('kept', 'src/admin/server.ts', limits, {
    'live: streams end with their token': [
      "streams.open(response, principal, () => findWho(visit, 'watch'))",
      'streams.open(response, principal, () => new Promise(() => {}))',
    ],
  }),
  ...checksOf('kept', 'src/admin/http/graphql.ts', limits, {
    'live: streams that are not asked for by name are counted': [
      'if (!mayStream()) {',
      'if (false) {',
    ],
  }),
  ...checksOf('kept', 'src/admin/live/watch-state.ts', topics, {
    'live: deleted accounts are told': ['...deleted.map(({ account }) => account)', ''],
    'live: changed accounts are told': ['known?.account === account &&', 'known !== undefined &&'],
  }),
  ...checksOf('kept', 'src/admin/processes/index.ts', topics, {
    'live: changes count from the subscription on': ['      state.look()\n    },', '    },'],
  }),
  ...checksOf('kept', 'src/jobs/jobs.ts', topics, {
    'live: changed jobs are told': ['if (changed && stored) jobs.onChange?.(changed, false)', ''],
    'live: new jobs are told': [
      '      jobs.onChange?.(job, false)\n    },\n    async find',
      '    },\n    async find',
    ],
    'live: forgotten jobs are told': ['jobs.onChange?.(job, true)', 'jobs.onChange?.(job, false)'],
  }),
  ...checksOf('kept', 'src/cli/server.ts', topics, {
    'live: reloads are told': ['settings.admin ? () => adminAudit : onlyAudit', 'onlyAudit'],
  }),
  ...checksOf('kept', 'src/cli/worker-messages.ts', messages, {
    'workers: only addresses say that a worker serves': [
      "if (typeof api !== 'string') return undefined",
      '',
    ],
    'workers: messages for a deaf worker are bounded': [
      '(pending.get(worker) ?? 0) >= mostPending',
      'false',
    ],
  }),
  ...checksOf('kept', 'src/cli/worker-addresses.ts', workers, {
    'workers: two gateways never share a port': ['claims.use(await hold(address)).unref()', ''],
    'workers: each listens by itself': ["process.platform === 'linux'", 'false'],
  }),
  ...checksOf('kept', 'src/cli/server.ts', workers, {
    'workers: one that is replaced listens where the others do': [
      'const address = shared ?? endpoint',
      'const address = endpoint',
    ],
  }),
  ...checksOf('kept', 'src/stores/redis/bus.ts', ['test/stores/redis-bus-faults.test.ts'], {
    'bus: a client that never connects ends': ['      subscription = next\n', ''],
    'bus: a lost subscription is told': ['for (const listener of listeners) listener.onGap()', ''],
  }),
  ...checksOf('kept', 'src/admin/schema/exchanges.ts', acts, {
    'acts: a viewer cancels nothing': ["role: 'operator',", "role: 'viewer',"],
  }),
  ...checksOf('kept', 'src/admin/schema/process-acts.ts', acts, {
    'acts: a viewer reloads nothing': ["role: 'operator',", "role: 'viewer',"],
    'acts: an operator drains nothing': ["role: 'admin',", "role: 'operator',"],
  }),
  ...checksOf('kept', 'src/admin/live/subscriber.ts', ['test/admin/live.test.ts'], {
    'live: a filter selects events': [' && isWanted(event, this.#filter)', ''],
  }),
  ...checksOf('kept', 'src/admin/live/hub.ts', hub, {
    'live: the end of a token is the end of its subscriptions': [
      'end(({ expiresAt = Infinity }) => expiresAt <= now())',
      '',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/everywhere.ts', keptOut, {
    'readiness: a store that is away is told': ['store: { reachable: isReachable },', ''],
    'readiness: what was known last is marked': [
      '...(silent.has(rest.process) && { stale: true }),',
      '',
    ],
  }),
  ...checksOf('kept', 'src/admin/live/watch-exchanges.ts', hub, {
    'live: requests without a key leave room for others': [
      'caller ? mostChanges : mostChanges / 2',
      'mostChanges',
    ],
  }),
]
