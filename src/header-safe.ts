import type { Loss } from './exchange.ts'

const printable = /^[\x20-\x7e]*$/

/** Names are an operator's or a client's to choose; headers carry ASCII only. */
export function headerSafe(text: string): string {
  return printable.test(text) ? text : encodeURIComponent(text.toWellFormed())
}

/** Of one field, and of all: clients and proxies refuse an answer with longer headers. Characters. */
const longestName = 200
const longestList = 2_000

/** The fields that a client lost, between commas; what does not fit is `...`. */
export function lossesHeader(losses: readonly Loss[]): string {
  let list = ''
  for (const { field } of losses) {
    const name = nameInList(field)
    if (list.length + name.length > longestList) return `${list}, ...`
    list = list === '' ? name : `${list}, ${name}`
  }
  return list
}

function nameInList(field: string): string {
  const name = field.length > longestName ? `${field.slice(0, longestName)}...` : field
  return name.includes(',') ? encodeURIComponent(name.toWellFormed()) : headerSafe(name)
}
