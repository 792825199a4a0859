import type { UserPart } from './content.ts'
import type {
  Extra,
  Feature,
  RequestFields,
  Setting,
  RequestSettings,
  Treatment,
} from './unsupported.ts'

/** The number of unknown members to report; a longer list is useless. */
const mostUnknown = 32

/** Collects the features, settings and extras of a client's request while a codec reads it. */
export class Notes {
  readonly #fields: Partial<Record<Feature, string>> = {}
  readonly #settings: Partial<Record<Setting, string>> = {}
  readonly #extras: Extra[] = []
  /** Names of members that have occurred, by kind of object. */
  readonly #known = new Map<object, Set<string>>()
  #unknown = 0

  get fields(): RequestFields {
    return this.#fields
  }

  get settings(): RequestSettings {
    return this.#settings
  }

  get extras(): readonly Extra[] {
    return this.#extras
  }

  /** Records that a field uses a feature. The first field of a feature counts. */
  uses(feature: Feature, field: string): void {
    this.#fields[feature] ??= field
  }

  /** Records a message of the user that has no content, or blank texts only. */
  usesContent(content: readonly UserPart[], field: string): void {
    if (content.every((part) => part.type === 'text' && part.text.trim() === '')) {
      this.uses('empty_message', field)
    }
  }

  /** Records the field of a setting. */
  sets(setting: Setting, field: string): void {
    this.#settings[setting] = field
  }

  /** Records a field that the neutral model does not represent. */
  extra(field: string, treatment: Treatment, reason: string, way?: string): void {
    this.#extras.push({ field, treatment, reason, way })
  }

  /** Records a field that only native accounts support. */
  native(field: string, reason: string, way?: string): void {
    this.extra(field, 'native', reason, way)
  }

  /** Records the members of an object that are not among `known`. */
  unread(
    json: Readonly<Record<string, unknown>>,
    path: string,
    known: ReadonlySet<string>,
    reason: string,
  ): void {
    for (const name in json) {
      // Before a field is named: an object may have a hundred thousand of them.
      if (this.#unknown === mostUnknown) return
      if (known.has(name) || (json[name] ?? undefined) === undefined) continue
      this.unknown(known, name, `${path}.${name}`, reason)
    }
  }

  /** Records an unknown member at its first place only, because conversations repeat members. */
  unknown(kind: object, name: string, field: string, reason: string): void {
    if (this.#unknown === mostUnknown || !this.isFirst(kind, name)) return
    this.#unknown++
    this.extra(field, 'warn', reason)
  }

  /** Whether no object of this kind has had the member before. */
  protected isFirst(kind: object, name: string): boolean {
    let known = this.#known.get(kind)
    if (!known) this.#known.set(kind, (known = new Set()))
    const isFirst = !known.has(name)
    known.add(name)
    return isFirst
  }
}
