import type { z } from 'zod'

import type { Problem } from '../contract/problems.ts'
import { nearest } from '../lib/nearest.ts'
import { kindOf, showValue } from '../lib/show.ts'
import { joinPath, shownKey } from './paths.ts'
import { removalOf } from './removed-settings.ts'
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
  const meant = nearest(key, known)
  const all = known.length > 0 ? `use one of ${known.join(', ')}` : 'leave it out'
  return {
    path,
    message: `unknown setting "${shownKey(key)}"`,
    fix: meant ? `did you mean "${meant}"?` : all,
  }
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

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown>)?.[key], value)
}
