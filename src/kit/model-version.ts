/** The part of a name behind a model's: a date or a version. */
const version = /[-@](?:\d{4}-\d{2}-\d{2}|\d{3,8})$/

/** The name of a model without a date or a version at its end; the name itself if it has neither. */
export function withoutVersion(name: string): string {
  return name.replace(version, '')
}
