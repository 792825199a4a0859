import type { Problem } from '../../contract/problems.ts'
import type { StandardIssue } from '../../contract/standard-schema.ts'
import { isObject } from '../../lib/json/object.ts'
import { nearest } from '../../lib/nearest.ts'
import { joinPath, shownKey, valueAt } from '../../lib/paths.ts'
import { fixOf, givenFix } from './fixes.ts'
import { type ResolvedOptions, type SchemaNode, nodeAt, shownPath, textWithout } from './options.ts'

/** The problems of one plugin that are listed. */
const mostProblems = 20

/** In characters. */
const longestMessage = 300

/** The facts that the problems of options depend on, beside their issues. */
interface RefusedOptions {
  readonly options: ResolvedOptions
  /** The schema that refuses them, as JSON Schema. */
  readonly schema: SchemaNode | undefined
  readonly path: string
  readonly use: string
  /** The texts that no message may repeat. */
  readonly hidden: ReadonlySet<string>
}

/** An issue as zod reports it. */
interface Issue extends StandardIssue {
  readonly code?: unknown
  /** Members that its schema does not have. */
  readonly keys?: unknown
  /** The issues with each member of a union. */
  readonly errors?: unknown
}

/** The problems of options that a schema has refused. */
export function optionProblems(
  issues: readonly StandardIssue[],
  refused: RefusedOptions,
): Problem[] {
  return issues
    .filter((issue) => !isOfMissing(issue, refused.options))
    .flatMap((issue) => ofUnion(issue))
    .slice(0, mostProblems)
    .flatMap((issue) => problemsOf(issue, refused))
}

function problemsOf(issue: Issue, refused: RefusedOptions): Problem[] {
  const { schema, path, use, options, hidden } = refused
  const keys = keysOf(issue)
  const at = shownPath(path, keys)
  const node = nodeAt(schema, keys)
  if (Array.isArray(issue.keys))
    return issue.keys.map((key) => unknownOption(String(key), at, node))
  const value = valueAt(options.value, keys)
  const isCustom = issue.code === 'custom'
  const isMissing = value === undefined && issue.code !== undefined && !isCustom
  const given = givenFix(issue)
  const fix =
    given === undefined
      ? fixOf({ node, key: keys.at(-1), value, isCustom, use })
      : textWithout(given, hidden)
  const message = isMissing ? 'is missing' : textWithout(issue.message, hidden)
  return [
    { path: at, message: message.slice(0, longestMessage), fix: fix.slice(0, longestMessage) },
  ]
}

function keysOf({ path = [] }: StandardIssue): PropertyKey[] {
  return path.map((part) => (typeof part === 'object' ? part.key : part))
}

/** Whether an issue follows from a missing variable or file, which is a problem of its own. */
function isOfMissing(issue: Issue, { missing }: ResolvedOptions): boolean {
  const place = keysOf(issue)
  return missing.some(({ keys }) => {
    const isAround = place.length < keys.length
    if (isAround && issue.code !== 'custom') return false
    const [outer, inner] = isAround ? [place, keys] : [keys, place]
    return outer.every((key, index) => String(key) === String(inner[index]))
  })
}

/** The issues of the member of a union whose type the value has, in place of "Invalid input". */
function ofUnion(issue: Issue): readonly Issue[] {
  const { errors } = issue
  if (issue.code !== 'invalid_union' || !Array.isArray(errors)) return [issue]
  const isOfOtherType = ({ code, path }: Issue) => code === 'invalid_type' && path?.length === 0
  const within = (errors as readonly Issue[][]).find(
    (issues) => issues.length > 0 && !issues.some(isOfOtherType),
  )
  const found = within?.map((one) => ({ ...one, path: [...keysOf(issue), ...keysOf(one)] }))
  return found ?? [issue]
}

function unknownOption(key: string, at: string, node: SchemaNode | undefined): Problem {
  const known = isObject(node?.properties) ? Object.keys(node.properties) : []
  const meant = nearest(key, known)
  const all = known.length > 0 ? `use one of ${known.join(', ')}` : 'leave it out'
  return {
    path: joinPath(at, [shownKey(key)]),
    message: `unknown option "${shownKey(key)}"`,
    fix: meant === undefined ? all : `did you mean "${meant}"?`,
  }
}
