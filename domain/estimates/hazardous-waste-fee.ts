/**
 * Matches descriptions of hazardous-waste fees. The database has the same rule (`internal.is_hazardous_waste_fee`), and
 * a test compares the two rules.
 */
const hazardousWaste =
  / (hazardous|haz ?mat|toxic|(waste|used) oils?|(coolant|antifreeze|fluids?)( [a-z]+)? (disposal|dispose)|(disposal|dispose)( of)?( [a-z]+){0,2} (coolant|antifreeze|fluids?)) /

/**
 * Returns whether the description of a fee names hazardous waste, regardless of the subtype of the fee. An estimate
 * with such a fee must state the shop's EPA number (docs/product.md 15.30; 16 CCR 3356.1, 3357).
 */
export function isHazardousWasteFee(description: string): boolean {
  const text = ` ${description
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()} `
  return hazardousWaste.test(text.replaceAll(' non toxic ', ' '))
}
