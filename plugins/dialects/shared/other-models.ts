import type { Call, OtherModel } from '../../../src/contract/call.ts'
import { wrong } from '../../../src/kit/checks.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'

/** The models that a request names beside `model`, noted in the order of its fields. */
export class OtherModels {
  #models: OtherModel[] | undefined

  /** Notes the member `model` of an object. */
  noteIn(owner: unknown, pathOf: () => string): void {
    const name = stringAt(owner, 'model')
    if (name !== undefined) this.note(name, `${pathOf()}.model`)
  }

  /** Notes the models of a tool: the model that works for it, and the model that draws for it. */
  noteTool(tool: unknown, pathOf: () => string): void {
    this.noteIn(tool, pathOf)
    const svg = objectAt(tool, 'svg')
    if (svg) this.noteIn(svg, () => `${pathOf()}.svg`)
  }

  /** Notes the models of each tool of a list. */
  noteTools(tools: unknown, path: string): void {
    if (!Array.isArray(tools)) return
    for (let index = 0; index < tools.length; index++) {
      this.noteTool(tools[index], () => `${path}[${index}]`)
    }
  }

  /** Notes the fallback models of the call, and the model that moderates its texts. */
  noteStandIns({ models, fallbacks, moderation }: JsonObject): void {
    if (models) this.#noteList(models, 'models')
    if (fallbacks && fallbacks !== accountsChoice) this.#noteList(fallbacks, 'fallbacks')
    if (moderation) this.noteIn(moderation, () => 'moderation')
  }

  note(name: string, field: string): void {
    this.#models ??= []
    if (this.#models.length === most)
      throw wrong(field, `left out: a request names at most ${most} models`)
    this.#models.push({ name, field })
  }

  /** The models as a member of the call; an empty object without models. */
  get ofCall(): Pick<Call, 'otherModels'> {
    return this.#models ? { otherModels: this.#models } : none
  }

  /** A list of names, or of objects with a `model`. */
  #noteList(list: unknown, path: string): void {
    if (typeof list === 'string') this.note(list, path)
    if (!Array.isArray(list)) return
    for (let index = 0; index < list.length; index++) {
      const entry: unknown = list[index]
      if (typeof entry === 'string') this.note(entry, `${path}[${index}]`)
      else this.noteIn(entry, () => `${path}[${index}]`)
    }
  }
}

/** Each name is compared with the patterns of a key. */
const most = 128

/** The account chooses the models that stand in. */
const accountsChoice = 'default'

const none: Pick<Call, 'otherModels'> = {}

/** The schemas of the members that `noteStandIns` reads. */
export const standInSchemas = {
  models: { type: 'array', items: { type: 'string' } },
  fallbacks: {
    anyOf: [
      { type: 'string' },
      { type: 'array', items: { type: 'object', properties: { model: { type: 'string' } } } },
    ],
  },
  moderation: { type: ['object', 'null'], properties: { model: { type: 'string' } } },
} as const

/** The schemas of the members of a tool that name models. */
export const toolModelSchemas = {
  model: { type: 'string' },
  svg: { type: 'object', properties: { model: { type: 'string' } } },
} as const
