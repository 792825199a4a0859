import { checksOf } from '../mutation.ts'

const warnings = ['test/plugins/attempt-warnings.test.ts']
const usage = ['test/requests/edits/stream-usage.test.ts']

/** Operators learn of each attempt, and of the tokens of each stream. */
export const attemptChecks = [
  ...checksOf('streams', 'plugins/attempt-warnings.ts', warnings, {
    'a failing account fills no log': ['now - last.at < everyMs', 'false'],
    'a refusal of a request is no warning': [" && outcome.fault === 'account'", ''],
    'omitted warnings are counted': ['last.omitted++', ''],
  }),
  ...checksOf('streams', 'src/upstream/attempt-once.ts', ['test/walks/access-log.test.ts'], {
    'an attempt that is replaced stays in the log': [
      'if (last) progress.former',
      'if (false) progress.former',
    ],
  }),
  ...checksOf('streams', 'plugins/dialects/chat/stream-usage.ts', usage, {
    'a client’s own wish is left alone': ['given.include_usage !== true', 'true'],
    'an account that refuses the field is not asked': [' || !candidate.account.asksForUsage', ''],
  }),
  ...checksOf('streams', 'plugins/dialects/chat/request.ts', usage, {
    'no client makes stream options long': ['at.end - at.start > longestOptions', 'false'],
  }),
  ...checksOf('streams', 'plugins/dialects/chat/observer.ts', usage, {
    'a client gets no usage that it has not asked for': [
      'if (this.#hidesUsage && ',
      'if (false && ',
    ],
    'hidden chunks have an end': ['++this.#hidden === mostHidden', 'false'],
    'a chunk with a choice is never taken out': ['choices.length === 0 && isObject', 'isObject'],
  }),
]
