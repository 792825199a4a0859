import type { RequestBody } from '../../../src/body.ts'
import { isImageName } from './form-pictures.ts'
import { imageFields } from './json-pictures.ts'

/** How many images a call brings along, before anybody has looked at them. */
export function countOfImages({ form, json }: RequestBody): number {
  if (form) return form.parts.filter(({ name }) => isImageName(name)).length
  return imageFields.flatMap((name) => json[name] ?? []).length
}
