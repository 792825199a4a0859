import { checksOf } from '../mutation.ts'

const counters = ['test/third-party/counters.test.ts']
const fields = ['test/third-party/access-fields.test.ts']
const tasks = ['test/third-party/tasks.test.ts']
const wild = ['test/cli/wild-plugins.test.ts']
const modules = ['test/cli/plugin-modules.test.ts']
const options = ['test/cli/plugin-options.test.ts']
const errors = ['test/walks/sdk/plugin-errors.test.ts']

/** What plugins may do besides the calls, and what they cannot do to others. */
export const pluginLifeChecks = [
  ...checksOf('stores', 'src/runtime/plugin-counters.ts', counters, {
    'counters: names are bounded': ['if (!names.use(name, ttlMs))', 'if (false)'],
    'counters: a name is not long': ['name.length <= longestName && ', ''],
    'counters: names are forgotten after their time': [
      'if (end <= now) this.#ends',
      'if (false) this.#ends',
    ],
    'counters: whole numbers only': ['!Number.isSafeInteger(n)', 'false'],
    'counters: each plugin has its own': [
      'store.counters(storePrefixOf(plugin))',
      "store.counters('p')",
    ],
  }),
  ...checksOf('stores', 'src/stores/memory-counters.ts', ['test/stores/memory-counters.test.ts'], {
    'counters in memory go after their time': [
      'if (expires <= Date.now()) counters.delete(id)',
      '',
    ],
  }),
  ...checksOf('terminal', 'src/hooks/access-fields.ts', fields, {
    'access fields: few': ['usable.slice(0, mostFields)', 'usable'],
    'access fields: short': ['|| value.length <= longestText', '|| true'],
    'access fields: names are words': ['fieldName.test(name) && ', ''],
    'access fields: plain values': [' && isValue(value)', ''],
    'access fields: a copy for each line': [
      'return copyOf(returned, failed)',
      'copyOf(returned, failed)\n    return returned as AccessFields',
    ],
    'access fields: under the name of the plugin': [
      '{ ...all, [plugin.name]: fields }',
      '{ ...all, ...fields } as never',
    ],
  }),
  ...checksOf('connections', 'src/hooks/tasks.ts', tasks, {
    'a task that ignores its signal is left': ['within(longestMs, all, late)', 'all'],
    'a task that fails is reported': [
      'if (!input.signal.aborted) onError(plugin, name, error)',
      '',
    ],
    'a task that ends at its signal has not failed': [
      'if (!input.signal.aborted) onError(plugin, name, error)',
      'onError(plugin, name, error)',
    ],
  }),
  ...checksOf('connections', 'src/hooks/scoped.ts', wild, {
    'a stray error of a hook names its plugin': [
      'inScope(name, () =>',
      '((work: () => unknown) => work())(() =>',
    ],
    'a stray error of another plugin names that one': [
      'outOfScope(() => next(...given))',
      'next(...given)',
    ],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/strays.ts', modules, {
    'a stray error of a module is a problem': ['strays.push(error)', ''],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/load.ts', modules, {
    'a plugin stays the same while its options do': [
      'if (before) return',
      'if (before && false) return',
    ],
    'a schema that never ends is a problem': [
      'within(waitMs, Promise.try(call), late)',
      'Promise.try(call)',
    ],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/module.ts', modules, {
    'a module that never ends to load is a problem': [
      'within(loadMs, importBeside(use, parent, failed.has(key)), () =>',
      '((_: number, work: Promise<object>, _late: () => Error) => work)(0, importBeside(use, parent, failed.has(key)), () =>',
    ],
    'a mended module is read again': ['failed.add(key)', ''],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/options.ts', options, {
    'no problem repeats an option': ['if (value.length >= 8) secrets.add(value)', ''],
    'no problem repeats what a variable has': ['secrets.add(found.secret)', ''],
    'a mistyped option names the one that was meant': [
      'if (Array.isArray(unknown)) return',
      'if (false) return',
    ],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/source.ts', options, {
    'texts of options are not shown': ['? options : shownText(options)', '? options : options'],
  }),
  ...checksOf('errors', 'src/contract/errors.ts', errors, {
    'a long wait is not retried': ['retryAfterMs <= longestWaitMs', 'true'],
    'a wait is told in a header': ['...retryAfter(retryAfterMs), ', ''],
  }),
]
