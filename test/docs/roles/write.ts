import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createAdminSchema } from '../../../src/admin/schema/index.ts'
import { replaceGenerated } from '../generated.ts'
import { openPage, repository } from '../pages.ts'
import { renderRoles, rolesRegion } from './table.ts'

// `node test/docs/roles/write.ts`: writes the table of roles into the page of the admin API.
const { path, text } = openPage('docs/admin.md')
const table = await renderRoles(createAdminSchema())
writeFileSync(join(repository, path), replaceGenerated(text, rolesRegion, `\n${table}\n`))
