import { textOf } from '../ui/form.ts'

/** What the fields of an account say, for `createAccount` and `updateAccount`. */
export interface AccountFieldValues {
  readonly provider: string
  readonly baseUrl: string | null
  readonly models: readonly string[] | null
  readonly modelMap: Readonly<Record<string, string>> | null
  readonly priority: number | null
  readonly weight: number | null
  readonly maxConcurrent: number | null
}

/** Reads the fields of `AccountFields`. An empty one is null. */
export function readAccountFields(form: FormData): AccountFieldValues {
  return {
    provider: textOf(form, 'provider'),
    baseUrl: textOf(form, 'baseUrl') || null,
    ...readModels(textOf(form, 'models')),
    priority: numberOf(form, 'priority'),
    weight: numberOf(form, 'weight'),
    maxConcurrent: numberOf(form, 'maxConcurrent'),
  }
}

/** Models, one a line or after commas: names and patterns; `gpt-5 = deployment-5` also says the account's own name. */
export function readModels(text: string): Pick<AccountFieldValues, 'models' | 'modelMap'> {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0) return { models: null, modelMap: null }
  if (!lines.some((line) => line.includes('='))) return { models: lines, modelMap: null }
  const pairs = lines.map((line) => {
    const [name = '', own = name] = line.split('=').map((part) => part.trim())
    return [name, own] as const
  })
  return { models: null, modelMap: Object.fromEntries(pairs) }
}

/** The text of `readModels` for an account. */
export function modelsText(models: readonly string[], modelMap: unknown): string {
  if (typeof modelMap !== 'object' || modelMap === null) return models.join('\n')
  return Object.entries(modelMap)
    .map(([name, own]) => (name === own ? name : `${name} = ${String(own)}`))
    .join('\n')
}

function numberOf(form: FormData, name: string): number | null {
  const text = textOf(form, name)
  return text === '' ? null : Number(text)
}
