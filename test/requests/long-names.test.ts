import { dailyRows } from '../daily-rows.ts'
import { describeLongNames } from './long-names.ts'

describeLongNames(['messages'], dailyRows)
