import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { errorsRegion, renderErrors } from './errors/table.ts'
import { fieldsPage, fieldsRegion, renderFields } from './fields/table.ts'
import {
  errorTypesRegion,
  metricsRegion,
  renderErrorTypes,
  renderMetrics,
} from './metrics/table.ts'
import { renderRoles, rolesRegion } from './roles/table.ts'

/** A part of a page that is written from the sources. */
interface Table {
  readonly page: string
  readonly region: string
  render(): string | Promise<string>
}

/** The tables of the pages, but for the matrix of `docs/translation.md`, for which the SDKs run. */
export const tables: readonly Table[] = [
  { page: 'docs/clients.md', region: errorsRegion, render: renderErrors },
  { page: 'docs/metrics.md', region: metricsRegion, render: renderMetrics },
  { page: 'docs/metrics.md', region: errorTypesRegion, render: renderErrorTypes },
  { page: fieldsPage, region: fieldsRegion, render: renderFields },
  {
    page: 'docs/admin.md',
    region: rolesRegion,
    render: async () => `\n${await renderRoles(createAdminSchema())}\n`,
  },
]
