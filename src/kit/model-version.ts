const month = '(?:0[1-9]|1[0-2])'
const day = '(?:0[1-9]|[12][0-9]|3[01])'
const year = '20[0-9]{2}'

/**
 * The part of a name behind a model's: a date, also a short one as OpenAI has (`-0613`), or a version as Gemini has
 * (`-001`). Other numbers belong to the name of a model: `llama-3-405` is no version of `llama-3`.
 */
const version = new RegExp(
  `(?:-${year}-${month}-${day}|[-@]${year}${month}${day}|-${month}${day}|-0[0-9]{2})$`,
)

/** The name of a model without a date or a version at its end; the name itself if it has neither. */
export function withoutVersion(name: string): string {
  return name.replace(version, '')
}
