import { checksOf } from '../mutation.ts'

const memory = ['test/stores/memory.test.ts']
const file = ['test/stores/file.test.ts']
const scans = ['test/stores/scan.test.ts']
const redis = ['test/stores/redis.test.ts']
const bindings = ['test/admin/bindings.test.ts']
const jobs = ['test/admin/jobs.test.ts']

/** Walks through the store, and what administrators see of bindings and jobs. */
export const walkChecks = [
  ...checksOf('walks', 'src/stores/cursor.ts', file, {
    'a cursor has as many parts as were sealed': ['parts.length === count &&', ''],
    'a cursor has a limit': [
      'cursor.length <= longest ? partsOf(cursor) : undefined',
      'partsOf(cursor)',
    ],
    'a cursor has well-formed texts': [' && part.isWellFormed()', ''],
  }),
  ...checksOf('walks', 'src/stores/memory.ts', memory, {
    'a cursor is of this store': ['owner !== store || ', ''],
  }),
  ...checksOf('walks', 'src/stores/envelope-head.ts', memory, {
    'content of long records is not read': [
      "if (first === '{') return '{}'",
      "if (first === '{') return undefined",
    ],
  }),
  ...checksOf('walks', 'src/stores/file/store.ts', file, {
    'a scan passes over expired rows': ['isLive && wants', 'wants'],
    'a scan stays within the prefix': ['if (!id.startsWith(prefix)) break\n', ''],
  }),
  ...checksOf('walks', 'src/stores/redis/scan.ts', scans, {
    'a record of a page is not on one after the next': [
      'place.seen.filter((mark) => !met.has(mark))',
      '[]',
    ],
    'another process has another order': ['known?.run === run', 'known'],
    'a record of another type ends no scan': ["if (isWrongType(error)) return ''\n", ''],
  }),
  ...checksOf('walks', 'src/stores/redis/scan.ts', redis, {
    'a prefix is no pattern': ['${literal(base + prefix)}*', '${base + prefix}*'],
    'a record of a page is not on the next one': ['!seen.has(mark)', 'true'],
    'a page ends behind the records that it has': ['...marks.slice(0, index + 1)', '...marks'],
  }),
  ...checksOf('walks', 'src/stores/redis/scan-place.ts', redis, {
    'a cursor of SCAN has 64 bits': ['    BigInt(at) <= greatest &&\n', ''],
    'a cursor has whole marks': [' &&\n    marks.length % markLength === 0', ''],
    'a cursor has marks and no other text': ['    /^[\\w-]*$/.test(marks) &&\n', ''],
  }),
  ...checksOf('walks', 'src/admin/scan-page.ts', bindings, {
    'a page examines a bounded number of records': [' || examined >= mostExamined', ''],
  }),
  ...checksOf('walks', 'src/admin/bindings.ts', bindings, {
    'expired bindings are not listed': ['node.binding.expiresAt > now && ', ''],
  }),
  ...checksOf('walks', 'src/admin/binding-lookup.ts', bindings, {
    'a store that fails is no missing binding': [
      "state: 'CANNOT_TELL', reason, isDamaged, name",
      "state: 'MISSING', name",
    ],
    'an act on a binding of any kind finds it': [' || kind === anyKind', ''],
  }),
  ...checksOf('walks', 'src/admin/store-errors.ts', jobs, {
    'a store that fails is told': ['return isUnavailable(error) ?', 'return !error ?'],
    'a cursor from elsewhere is told': [
      'if (error instanceof InvalidCursor) return',
      'if (!error) return',
    ],
  }),
  ...checksOf('walks', 'src/jobs/all-jobs.ts', jobs, {
    'jobs of a key are its own': [
      'if (!id.startsWith(prefix)) return { jobs, examined: index }\n',
      '',
    ],
    'a job is looked for under each key': [
      'after = prefix === ',
      'return undefined\n    after = prefix === ',
    ],
  }),
]
