import type { Problem } from '../contract/problems.ts'
import type { StandardSchema } from '../contract/standard-schema.ts'
import {
  type Keys,
  type ResolvedOptions,
  describedBy,
  hiddenTexts,
  shownPath,
} from '../kit/options/options.ts'
import { optionProblems } from '../kit/options/problems.ts'
import { isObject, isTooDeep } from '../lib/json/object.ts'
import { isThenable } from '../lib/maybe-promise.ts'

/** Options as the schema of a provider returns them, or their problems. */
type CheckedOptions =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly problems: readonly Problem[] }

/** Checks the options of an account by the schema of its provider, which sees `{}` in place of absent ones. */
export function checkOptions(
  written: Readonly<Record<string, unknown>> | undefined,
  schema: StandardSchema | undefined,
  { provider, path }: { readonly provider: string; readonly path: string },
): CheckedOptions {
  const refused = (message: string, fix: string) => ({ problems: [{ path, message, fix }] })
  if (!schema) {
    if (written === undefined) return { value: {} }
    return refused(`are given, but provider "${provider}" takes none`, 'leave them out')
  }
  if (isTooDeep(written)) return refused('are nested too deeply', 'write fewer levels')
  const { literals, places } = textsOf(written ?? {})
  if (places.length > 0) {
    return {
      problems: places.map((keys) => ({
        path: shownPath(path, keys),
        message: 'names the place of a secret, and options have none',
        fix: "write the value; a secret is the account's credential",
      })),
    }
  }
  const options = { value: written ?? {}, secrets: new Set<string>(), literals, missing: [] }
  return validate(options, schema, { provider, path })
}

function validate(
  options: ResolvedOptions,
  schema: StandardSchema,
  { provider, path }: { readonly provider: string; readonly path: string },
): CheckedOptions {
  const use = `provider "${provider}"`
  const defect = (message: string) => ({
    problems: [{ path, message: `${message}: ${use}`, fix: 'correct it in its plugin' }],
  })
  try {
    const checked = schema['~standard'].validate(options.value)
    if (isThenable(checked)) {
      checked.catch(() => {})
      return defect('have a schema that checks later')
    }
    if (checked.issues) {
      const described = describedBy(schema)
      const hidden = hiddenTexts(options, described)
      const problems = optionProblems(checked.issues, {
        options,
        schema: described,
        path,
        use,
        hidden,
      })
      return { problems }
    }
    return isObject(checked.value) ? { value: checked.value } : defect('are no object any more')
  } catch {
    return defect('have a schema that fails')
  }
}

/** The texts of options, which no message repeats, and where the place of a secret is written. */
function textsOf(written: unknown): Pick<ResolvedOptions, 'literals'> & { places: Keys[] } {
  const literals: { text: string; keys: Keys }[] = []
  const places: Keys[] = []
  const look = (value: unknown, keys: Keys): void => {
    if (typeof value === 'string') {
      if (/^(?:env:|file:\/(?!\/))/.test(value)) places.push(keys)
      else if (value.length >= 8) literals.push({ text: value, keys })
    } else if (Array.isArray(value)) value.forEach((one, at) => look(one, [...keys, at]))
    else if (isObject(value))
      for (const [name, one] of Object.entries(value)) look(one, [...keys, name])
  }
  look(written, [])
  return { literals, places }
}
