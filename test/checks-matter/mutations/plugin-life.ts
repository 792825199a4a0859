import { checksOf } from '../mutation.ts'

const counters = ['test/plugins/plugin-counters.test.ts']
const fields = ['test/third-party/access-fields.test.ts']
const tasks = ['test/third-party/tasks.test.ts']
const wild = ['test/cli/wild-plugins.test.ts']
const modules = ['test/cli/plugin-modules.test.ts']
const usage = ['test/outcomes/reported-usage.test.ts']
const options = ['test/cli/plugin-options.test.ts', 'test/configuration/plugin-options.test.ts']
const errors = ['test/walks/sdk/plugin-errors.test.ts']

/** What plugins may do besides the calls, and what they cannot do to others. */
export const pluginLifeChecks = [
  ...checksOf('stores', 'src/runtime/plugin-counters.ts', counters, {
    'plugin life: counters: names are bounded': ['if (!names.use(name, ttlMs))', 'if (false)'],
    'plugin life: counters: a name is not long': ['name.length <= longestName && ', ''],
    'plugin life: counters: names are forgotten after their time': [
      'if (end <= now) this.#ends',
      'if (false) this.#ends',
    ],
    'plugin life: counters: whole numbers only': ['!Number.isSafeInteger(n)', 'false'],
    'plugin life: counters: each plugin has its own': [
      'store.counters(storePrefixOf(plugin))',
      "store.counters('p')",
    ],
  }),
  ...checksOf('stores', 'src/stores/memory-counters.ts', ['test/stores/memory-counters.test.ts'], {
    'plugin life: counters in memory go after their time': [
      'if (expires <= Date.now()) counters.delete(id)',
      '',
    ],
  }),
  ...checksOf('terminal', 'src/hooks/access-fields.ts', fields, {
    'plugin life: access fields: few': ['usable.slice(0, mostFields)', 'usable'],
    'plugin life: access fields: short': ['cleanText(value, exchange, longestText)', 'value'],
    'plugin life: access fields: names are words': ['fieldName.test(name) && ', ''],
    'plugin life: access fields: plain values': [' && isValue(value)', ''],
    'plugin life: access fields: a copy for each line': [
      'return copyOf(returned, input.exchange, failed)',
      'copyOf(returned, input.exchange, failed)\n    return returned as AccessFields',
    ],
    'plugin life: access fields: under the name of the plugin': [
      '{ ...all, [plugin.name]: fields }',
      '{ ...all, ...fields } as never',
    ],
  }),
  ...checksOf('connections', 'src/hooks/tasks.ts', tasks, {
    'plugin life: a task that ignores its signal is left': ['within(longestMs, all, late)', 'all'],
    'plugin life: a task that fails is reported': [
      'if (!input.signal.aborted) onError(plugin, name, error)',
      '',
    ],
    'plugin life: a task that ends at its signal has not failed': [
      'if (!input.signal.aborted) onError(plugin, name, error)',
      'onError(plugin, name, error)',
    ],
  }),
  ...checksOf('connections', 'src/hooks/scoped-dialect.ts', wild, {
    'an observer is in the scope of its plugin': [
      'makers.has(name) ?',
      'makers.has(name) && !name ?',
    ],
    'a function of a dialect is in the scope of its plugin': [
      'inScope(this.#plugin, () => Reflect.apply(work, part, given.map(lent)))',
      'Reflect.apply(work, part, given.map(lent)) as unknown',
    ],
  }),
  ...checksOf('connections', 'src/hooks/scoped.ts', wild, {
    'plugin life: a stray error of a hook names its plugin': [
      'inScope(name, () =>',
      '((work: () => unknown) => work())(() =>',
    ],
    'plugin life: a stray error of another plugin names that one': [
      'outOfScope(() => next(...given))',
      'next(...given)',
    ],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/strays.ts', modules, {
    'plugin life: a stray error of a module is a problem': ['strays.push(error)', ''],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/load.ts', modules, {
    'plugin life: a plugin stays the same while its options do': [
      'if (before) return',
      'if (before && false) return',
    ],
    'plugin life: a schema that never ends is a problem': [
      'within(waitMs, Promise.try(call), late)',
      'Promise.try(call)',
    ],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/module.ts', modules, {
    'plugin life: a module that never ends to load is a problem': [
      'within(loadMs, import(entry) as Promise<object>, () =>',
      '((_: number, work: Promise<object>, _late: () => Error) => work)(0, import(entry), () =>',
    ],
    'plugin life: a mended module is read again': ['failed.add(key)', ''],
  }),
  ...checksOf('terminal', 'src/configuration/load.ts', ['test/configuration/load.test.ts'], {
    'configuration: a module that never ends to load is a problem': [
      'within(waitMs, importDefault(file, source, afresh), () =>',
      '((_: number, work: Promise<unknown>, _late: () => Error) => work)(0, importDefault(file, source, afresh), () =>',
    ],
    'configuration: a CommonJS module without exports is a problem': [
      ' && !isEmptyCommonJs(loaded, source)',
      '',
    ],
    'configuration: `module.exports = {}` is a configuration': [
      String.raw` || /\bexports\b/.test(source)`,
      '',
    ],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/options.ts', options, {
    'plugin life: no problem repeats an option': [
      'if (text.length >= 8) literals.push({ text, keys })',
      '',
    ],
    'plugin life: no problem repeats what a variable has': ['secrets.add(found.secret)', ''],
    'plugin life: a text that the schema shows is no secret': [
      'shown.has(text) ? [] : text',
      'text',
    ],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/option-problems.ts', options, {
    'plugin life: a missing variable is one problem': [
      '.filter((issue) => !isOfMissing(issue, refused.options))',
      '',
    ],
    'plugin life: a mistyped option names the one that was meant': [
      'if (Array.isArray(issue.keys))\n    return',
      'if (false) return',
    ],
  }),
  ...checksOf('terminal', 'src/configuration/plugins/source.ts', options, {
    'plugin life: texts of options are not shown': [
      '? options : shownText(options)',
      '? options : options',
    ],
  }),
  ...checksOf('connections', 'src/upstream/settle.ts', usage, {
    'plugin life: a refused reply keeps its usage': ['{ usage = attempt.usage, ', '{ usage, '],
  }),
  ...checksOf('errors', 'src/contract/errors.ts', errors, {
    'plugin life: a long wait is not retried': ['retryAfterMs <= longestWaitMs', 'true'],
    'plugin life: a wait is told in a header': ['...retryAfter(retryAfterMs), ', ''],
  }),
]
