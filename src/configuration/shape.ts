import type { z } from 'zod'

import type { Problem } from '../contract/problems.ts'
import { nearest } from '../lib/nearest.ts'
import { kindOf, showValue } from '../lib/show.ts'
import { joinPath, shownKey, valueAt } from '../lib/paths.ts'
import { type Expectation, describeNode } from './schema-nodes.ts'

/**
 * Checks one part of a configuration against its schema. If it is invalid, returns `undefined` and adds
 * one problem for each invalid field to `problems`.
 */
export function checkShape<S extends z.ZodType>(
  schema: S,
  value: unknown,
  path: string,
  problems: Problem[],
): z.output<S> | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const reportedPaths = new Set<string>()
  for (const problem of result.error.issues.flatMap((issue) =>
    toProblems(issue, schema, value, path),
  )) {
    if (!reportedPaths.has(problem.path)) problems.push(problem)
    reportedPaths.add(problem.path)
  }
  return undefined
}

function toProblems(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  value: unknown,
  path: string,
): Problem[] {
  const inner = issuesWithin(issue)
  if (inner) return inner.flatMap((one) => toProblems(one, schema, value, path))
  const node = describeNode(schema, issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      unknownKey(key, node.keys, joinPath(path, [...issue.path, shownKey(key)])),
    )
  }
  const fieldPath = joinPath(path, issue.path)
  return [invalidValue(fieldPath, valueAt(value, issue.path), node.expectation)]
}

/** The issues inside of a value that is of one option's kind alone, such as a map beside a word. */
function issuesWithin(issue: z.core.$ZodIssue): z.core.$ZodIssue[] | undefined {
  if (issue.code !== 'invalid_union') return undefined
  const fitting = issue.errors.filter((issues) => issues.every(({ path }) => path.length > 0))
  const [only] = fitting.length === 1 ? fitting : []
  return only?.map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
}

function unknownKey(key: string, known: readonly string[], path: string): Problem {
  const removal = removalOf(path)
  if (removal !== undefined) {
    return { path, message: `this setting was removed in ${removal}`, fix: 'delete it' }
  }
  const place = misplaced[path]
  const meant = place ?? nearest(key, known)
  const all = known.length > 0 ? `use one of ${known.join(', ')}` : 'leave it out'
  return {
    path,
    message: `unknown setting "${shownKey(key)}"`,
    fix: meant ? `did you mean "${meant}"?` : all,
  }
}

/** The places of settings that other programs have at the top level, by their names there. */
const misplaced: Readonly<Record<string, string>> = {
  host: 'listen.host',
  port: 'listen.port',
}

/** Settings of earlier versions by their paths: since when they are gone, and what the gateway does now. */
const removed: Readonly<Record<string, string>> = {
  'accounts[].propagate': '0.2.0: an account gets a `traceparent` only from a plugin',
  samplingFields:
    '0.2.0: requests with `temperature`, `top_p` or `top_k` go to the account in version 2023-06-01',
  unknownIds: '0.2.0: a request that names data which its key does not own is refused',
  'limits.bodyBytesPerSecond': '0.2.0: a request body must arrive with 1 KiB/s on average',
  'limits.expansionRatio':
    '0.2.0: what exceeds 4 MiB may be a hundred times as large decompressed as compressed',
  'limits.jsonDepth': '0.2.0: JSON has at most 200 levels',
  'log.accessFile':
    '0.2.0: `log.file` has both logs; without it the access log goes to standard output',
  'remote.maxRedirects': '0.2.0: a file may have 3 redirects',
  'remote.maxTotalBytes': '0.2.0: all files of a request may have 50 MiB',
  'remote.ports': '0.2.0: `remote.forbid` and `remote.allow` decide alone',
  'remote.totalTimeoutMs': '0.2.0: all files of a request have 30 s',
  'telemetry.genai': '0.2.0: metrics have one generation of names',
  'telemetry.traces.contentBytes': '0.2.0: a span has 8 KiB of a request and of a reply',
  'telemetry.traces.detail': '0.2.0: a trace has a span for each stage',
}

/** Since when a setting is gone, and what the gateway does in its place; `undefined` for any other path. */
function removalOf(path: string): string | undefined {
  const pattern = path.replaceAll(/\[\d+\]/g, '[]')
  return Object.hasOwn(removed, pattern) ? removed[pattern] : undefined
}

/** Places where a misplaced value may be a secret: whole entries of these settings. */
const mayBeSecret =
  /^(?:keys|accounts|admin\.tokens|plugins)(?:\[\d+\]|\.[^.[\]]+)?$|^admin$|^uploads\.storages/

/**
 * Whether a value of a key or an account may be its secret, in the place of another setting. `input` is
 * the input of the admin API.
 */
function looksMisplaced(path: string, value: unknown): boolean {
  return (
    /^(?:(?:keys|accounts|admin\.tokens)\[|(?:accounts|input)\.)/.test(path) &&
    typeof value === 'string' &&
    /^\S{16,}$/.test(value)
  )
}

/** Where a URL has a password or a token: before its host, or behind its path. */
const hasUrlSecret = /[^\s"/]:[^\s"]*@|:\/\/\S*[@?#]/

function invalidValue(path: string, value: unknown, expectation: Expectation | undefined): Problem {
  const { expected, example, hidden, secret } = expectation ?? {
    expected: 'an object',
    example: {},
  }
  const isHidden = hidden || secret || mayBeSecret.test(path) || looksMisplaced(path, value)
  const text = isHidden ? kindOf(value, example) : showValue(value)
  const shown = hasUrlSecret.test(text) ? kindOf(value, example) : text
  return {
    path,
    message:
      value === undefined ? `is missing: ${expected}` : `must be ${expected}, but is ${shown}`,
    fix: `for example ${assignment(path, JSON.stringify(example))}`,
  }
}

/** Writes a value in the syntax of its path: a flag, an environment variable, a field or an entry. */
function assignment(path: string, value: string): string {
  if (path.startsWith('--')) return `${path} ${value}`
  if (/^[A-Z_]+$/.test(path)) return `${path}=${value}`
  const field = /[^.[\]]+$/.exec(path)?.[0]
  return field === undefined ? value : `${field}: ${value}`
}
