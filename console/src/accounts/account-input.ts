import { optionalText, textOf } from '../ui/form.ts'

/** How an account proves who it is. */
export type CredentialKind = 'key' | 'entra' | 'googleAuth' | 'aws'

/** The fields of an account that name a place in a cloud, or a version of its API. */
const placeNames = ['region', 'project', 'location', 'apiVersion', 'anthropicVersion'] as const

type Places = { readonly [name in (typeof placeNames)[number]]: string | null }

/** What the fields of an account say, for `createAccount` and `updateAccount`. */
export interface AccountFieldValues extends Places {
  readonly provider: string
  readonly baseUrl: string | null
  readonly baseUrls: unknown
  readonly entra: unknown
  readonly googleAuth: unknown
  readonly aws: unknown
  readonly guardrail: unknown
  readonly models: readonly string[] | null
  readonly modelMap: Readonly<Record<string, string>> | null
  readonly priority: number | null
  readonly weight: number | null
  readonly maxConcurrent: number | null
}

/** What the fields begin with. */
export type AccountStart = Partial<{
  readonly [Name in keyof Omit<AccountFieldValues, 'models' | 'modelMap'>]:
    | AccountFieldValues[Name]
    | undefined
}> & {
  /** The text of `modelsText`. */
  readonly models?: string | undefined
}

/** Reads the fields of `AccountFields`. An empty one is null, as one that the provider does not take. */
export function readAccountFields(form: FormData): AccountFieldValues {
  const kind = textOf(form, 'kind')
  const guardrail = textOf(form, 'guardrailId')
  const places = placeNames.map((name) => [name, textOf(form, name) || null] as const)
  return {
    provider: textOf(form, 'provider'),
    baseUrl: textOf(form, 'baseUrl') || null,
    baseUrls: readPairs(textOf(form, 'baseUrls')),
    ...(Object.fromEntries(places) as unknown as Places),
    entra:
      kind === 'entra'
        ? {
            tenantId: textOf(form, 'tenantId'),
            clientId: textOf(form, 'clientId'),
            ...optionalText('authority', textOf(form, 'authority')),
          }
        : null,
    googleAuth: kind === 'googleAuth' ? {} : null,
    aws: kind === 'aws' ? { accessKeyId: textOf(form, 'accessKeyId') } : null,
    guardrail:
      guardrail === ''
        ? null
        : { id: guardrail, version: textOf(form, 'guardrailVersion') || 'DRAFT' },
    ...readModels(textOf(form, 'models')),
    priority: numberOf(form, 'priority'),
    weight: numberOf(form, 'weight'),
    maxConcurrent: numberOf(form, 'maxConcurrent'),
  }
}

/** Models, one a line or after commas: names and patterns; `gpt-5 = deployment-5` also says the account's own name. */
export function readModels(text: string): Pick<AccountFieldValues, 'models' | 'modelMap'> {
  const lines = linesOf(text, /[\n,]/)
  if (lines.length === 0) return { models: null, modelMap: null }
  if (!lines.some((line) => line.includes('='))) return { models: lines, modelMap: null }
  return { models: null, modelMap: pairsOf(lines) }
}

/** The text of `readModels` for an account. */
export function modelsText(models: readonly string[], modelMap: unknown): string {
  if (typeof modelMap !== 'object' || modelMap === null) return models.join('\n')
  return Object.entries(modelMap)
    .map(([name, own]) => (name === own ? name : `${name} = ${String(own)}`))
    .join('\n')
}

/** The base URLs of dialects, one a line. */
export function textOfBaseUrls(baseUrls: unknown): string {
  return Object.entries(baseUrls ?? {})
    .map(([dialect, url]) => `${dialect} = ${String(url)}`)
    .join('\n')
}

function readPairs(text: string): Readonly<Record<string, string>> | null {
  const lines = linesOf(text, '\n')
  return lines.length === 0 ? null : pairsOf(lines)
}

/** `name = value`; a name alone is its own value. */
function pairsOf(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = line, value = line] = /^([^=]*?)\s*=\s*(.*)$/.exec(line) ?? []
      return [name, value]
    }),
  )
}

function linesOf(text: string, between: string | RegExp): string[] {
  return text
    .split(between)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function numberOf(form: FormData, name: string): number | null {
  const text = textOf(form, name)
  return text === '' ? null : Number(text)
}
