/**
 * Stands in for the package of this name, which brings 53 others. testcontainers packs with it what is copied into a
 * container, and nothing is copied into one here.
 */
module.exports = () => {
  throw new Error('tools/archiver stands in for archiver; to copy files into a container take it out of package.json.');
};
