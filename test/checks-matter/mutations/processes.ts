import { checksOf } from '../mutation.ts'

const processes = ['test/admin/processes.test.ts']
const acts = ['test/admin/process-acts.test.ts']
const hub = ['test/admin/hub.test.ts']

/** What processes say of themselves, and what they do for each other. */
export const processChecks = [
  ...checksOf('kept', 'src/admin/processes/record.ts', processes, {
    'process: a damaged heartbeat is no process': [
      'if (success && data.id === entry.id) processes.push(data)',
      'if (entry.id) processes.push(entry.value as ProcessRecord)',
    ],
    'process: a heartbeat under the name of another is none': [
      'success && data.id === entry.id',
      'success',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/heartbeat.ts', processes, {
    'process: those known last are shown while the store is away': [
      'known.map(({ record }) => ({ ...record, isStale: true }))',
      '[]',
    ],
    'process: a view without the store is not complete': [
      'isComplete: false,\n        isReachable: false,',
      'isComplete: true,\n        isReachable: false,',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/command-records.ts', processes, {
    'command: a damaged record does nothing': [
      'return commandRecord.safeParse(value).data',
      'return value as CommandRecord',
    ],
    'command: only ids of a process count': [
      'if (!/^\\d{15}-[\\da-f]{12}$/.test(id)) return undefined',
      '',
    ],
  }),
  ...checksOf('kept', 'src/admin/processes/commands.ts', ['test/admin/commands.test.ts'], {
    'command: each is performed once': ['if (seen.get(record.id)) continue', ''],
  }),
  ...checksOf('kept', 'src/admin/processes/commands.ts', processes, {
    'command: another process has its own': [
      'command.to !== undefined && command.to !== self',
      'false',
    ],
    'command: a process does not obey itself': ['command.from === self ||', ''],
  }),
  ...checksOf('kept', 'src/admin/processes/acts.ts', acts, {
    'the delay of a drain begins at once': ['if (tooShort <= 0)', 'if (false)'],
    'reload: a bad configuration reaches none': ['if (bad.length > 0) {', 'if (bad.length > 99) {'],
    'reload: a problem names all processes that have it': [
      '[first!, ...others].map(',
      '[first!].map(',
    ],
  }),
  ...checksOf('kept', 'src/cli/reload/line.ts', ['test/cli/reload-line.test.ts'], {
    'reload: one that waits serves all who ask': ['if (waiting) return waiting', ''],
  }),
  ...checksOf('kept', 'src/cli/reload/index.ts', ['test/cli/reload-shown.test.ts'], {
    'reload: one that its check refuses leaves its problems': [
      'check: line.add(() => problemsIn(checkSettings)),',
      'check: line.add(() => checkSettings().then(() => [], (error: unknown) => problemsOf(error, file))),',
    ],
  }),
  ...checksOf('kept', 'src/cli/reload/index.ts', ['test/cli/reload-missing.test.ts'], {
    'reload: a file that is missing is no empty one': [
      'if (next.file === undefined) throw',
      'if (next.file === null) throw',
    ],
    'reload: without a file there is nothing to read': [
      'file === undefined ? {} : reloadFile(file, options)',
      "reloadFile(file ?? '', options)",
    ],
  }),
  ...checksOf('kept', 'src/cli/reload/without-directory.ts', ['test/cli/reload-shown.test.ts'], {
    'reload: a broken file is named without its directory': [
      'return problems.map((one) => {',
      "if (file !== '') return problems\n  return problems.map((one) => {",
    ],
  }),
  ...checksOf('kept', 'src/upstream/failure.ts', acts, {
    'cancel: no other account is asked': ["  'exchange_cancelled',\n", ''],
  }),
  ...checksOf('kept', 'src/admin/processes/gather.ts', processes, {
    'exchanges: processes without an answer are named': [
      'unanswered: silent }',
      'unanswered: [] }',
    ],
  }),
  ...checksOf('kept', 'src/admin/live/subscriber.ts', hub, {
    'live: a queue is bounded': [
      'if (this.#queue.length <= queueSize) return',
      'if (this.#queue.length <= queueSize * 1e6) return',
    ],
  }),
  ...checksOf('kept', 'src/admin/live/hub.ts', hub, {
    'live: lost events are told': ["if (lost > 0) missed('OUTAGE', lost)", ''],
    'live: a message of this process is none of another': ['|| message.from === self', ''],
    'live: subscribers are bounded': [
      'subscribers.size >= mostSubscribers',
      'subscribers.size >= 1e6',
    ],
  }),
  ...checksOf('kept', 'src/admin/live/messages.ts', hub, {
    'live: a long message is not read': ['if (text.length > longestMessage) return undefined', ''],
  }),
  ...checksOf('kept', 'src/admin/live/watch-exchanges.ts', hub, {
    'live: exchanges above 50 changes are left out': ['return changes < most', 'return true'],
  }),
]
